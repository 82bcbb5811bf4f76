import type { EndpointKind } from '@tollgate/catalog';
import { explainDetection, type Target, targetOfEmbedded } from '@tollgate/core/targeting';
import type { Diagnostic, SourceText } from '@tollgate/diagnostics';
import { readLintSettings } from '@tollgate/lint';
import {
  type AnalysisOptions,
  analyzePolicies,
  analyzePolicy,
  type CarrierSettings,
  type ExpressionCache,
  findingsInFile,
  findPolicies,
  parseDocuments,
  partAddress,
  readEdgeDocument,
  readProject,
  readTests,
} from '@tollgate/policy';
import type { DocumentKind, Host, Project } from '../project/project.ts';
import { claimsPolicy } from './claims.ts';
import { invariantsSnapshot } from './invariants-snapshot.ts';
import type { AnalysedPolicy, Snapshot } from './snapshot.ts';

/** A document as the client sent it. */
export interface SentDocument {
  readonly uri: string;
  readonly path: string;
  readonly version: number;
  readonly languageId: string;
  readonly source: SourceText;
}

/** What all snapshots share. */
export interface Surroundings {
  readonly project: Project;
  readonly carriers: CarrierSettings;
  readonly expressions: ExpressionCache;
  readonly kindOf: Host['kindOf'];
}

/** The language id of policies. */
export const LANGUAGE = 'tollgate';

/** Name of project files. */
const PROJECT_NAME = /(?:^|[\\/])tollgate\.yaml$/;

/** Analyses a document from scratch. Never throws because of its content. */
export function takeSnapshot(document: SentDocument, surroundings: Surroundings): Snapshot {
  const kind = kindOfDocument(document, surroundings);
  const bare: Snapshot = {
    ...document,
    kind,
    project: surroundings.project,
    carriers: surroundings.carriers,
    policies: [],
    embedded: [],
    target: undefined,
    root: undefined,
    comments: [],
    diagnostics: [],
    claims: undefined,
    base: undefined,
  };
  switch (kind) {
    case 'policy':
      return policySnapshot(bare, surroundings);
    case 'edge':
      return edgeSnapshot(bare, surroundings);
    case 'carrier':
      return carrierSnapshot(bare, surroundings);
    case 'tests':
      return testsSnapshot(bare);
    case 'invariants':
      return invariantsSnapshot(bare);
    case 'project':
      return projectSnapshot(bare);
    case 'other':
      return bare;
  }
}

/** Returns what a document contains. Plain YAML and JSON is `other` unless its content says what it is. */
export function kindOfDocument(
  { path, languageId, source }: Pick<SentDocument, 'path' | 'languageId' | 'source'>,
  { kindOf, carriers }: Pick<Surroundings, 'kindOf' | 'carriers'>,
): DocumentKind {
  if (PROJECT_NAME.test(path)) return 'project';
  const kind = kindOf(source, carriers);
  if (languageId === LANGUAGE) return kind === 'other' ? 'policy' : kind;
  return kind === 'policy' && !claimsPolicy(source.text) ? 'other' : kind;
}

/** Returns the options for analysing a document for a target. */
export function optionsFor(target: Target, { expressions }: Pick<Surroundings, 'expressions'>): AnalysisOptions {
  return { ...target, expressions };
}

function policySnapshot(bare: Snapshot, surroundings: Surroundings): Snapshot {
  const target = targetOf(bare);
  if (!target) return bare;
  const { source } = bare;
  const options = optionsFor(target, surroundings);
  const single = analyzePolicy(source, options);
  if (single.diagnostics.some(one => one.code === 'yaml/several-documents')) {
    const { policies, diagnostics, comments, environments } = analyzePolicies(source, options);
    const documents = parseDocuments(source);
    const analysed = policies.map(policy => {
      const before = documents.filter(({ range }) => range.start <= policy.range.start);
      return { policy, target, environments, part: undefined, address: String(before.length) };
    });
    return { ...bare, target, policies: analysed, comments, diagnostics: withNote(diagnostics, bare, target) };
  }
  return withAnalysis(bare, single, target);
}

/** Returns a snapshot with the analysis of its only policy. */
export function withAnalysis(bare: Snapshot, analysis: NonNullable<Snapshot['base']>, target: Target): Snapshot {
  const { policy, environments, comments, diagnostics } = analysis;
  const policies: readonly AnalysedPolicy[] = policy
    ? [{ policy, target, environments, part: undefined, address: undefined }]
    : [];
  return { ...bare, target, policies, comments, diagnostics: withNote(diagnostics, bare, target), base: analysis };
}

function withNote(diagnostics: readonly Diagnostic[], { source }: Snapshot, target: Target): readonly Diagnostic[] {
  const note = explainDetection(target, source.uri, diagnostics);
  return note.length === 0 ? diagnostics : [...diagnostics, ...note];
}

/** Without a target, the settings are wrong for the document, which a message about the project says. */
function targetOf({ project, source }: Snapshot, endpoint?: EndpointKind): Target | undefined {
  const target = project.targetOf(source, endpoint);
  return target instanceof Error ? undefined : target;
}

function edgeSnapshot(bare: Snapshot, surroundings: Surroundings): Snapshot {
  const edge = readEdgeDocument(bare.source);
  const target = edge && targetOf(bare, edge.endpoint);
  if (!edge || !target) return bare;
  const found = edge.policies.map(({ part }) => {
    const analysis = analyzePolicy(bare.source, { ...optionsFor(target, surroundings), part });
    return { ...analysis, part };
  });
  const policies = found.flatMap(({ policy, environments, part }) =>
    policy ? [{ policy, target, environments, part, address: partAddress(part) }] : [],
  );
  const diagnostics = inOrder(found.flatMap(one => one.diagnostics));
  return { ...bare, target, policies, comments: found[0]?.comments ?? [], diagnostics };
}

function carrierSnapshot(bare: Snapshot, surroundings: Surroundings): Snapshot {
  const { source, project, carriers } = bare;
  const found = findPolicies(source, carriers).flatMap(embedded => {
    const target = targetOfEmbedded(embedded, project.targetOf);
    if (target instanceof Error) return [];
    const { part } = embedded;
    const analysis = analyzePolicy(embedded.source, { ...optionsFor(target, surroundings), ...(part && { part }) });
    const { policy, environments, comments, diagnostics } = analysis;
    const address = partAddress(embedded.path);
    const policies: readonly AnalysedPolicy[] = policy ? [{ policy, target, environments, part, address }] : [];
    const inner: Snapshot = {
      ...bare,
      ...{ kind: 'policy', source: embedded.source, target, policies, comments, diagnostics },
    };
    return [{ embedded, snapshot: inner }];
  });
  if (found.length === 0) return { ...bare, kind: 'other' };
  const own = found.filter(({ embedded }) => embedded.layers.length === 0);
  const diagnostics = found.flatMap(({ embedded, snapshot }) => findingsInFile(embedded, snapshot.diagnostics));
  return {
    ...bare,
    policies: own.flatMap(({ snapshot }) => snapshot.policies),
    embedded: found,
    comments: own[0]?.snapshot.comments ?? [],
    diagnostics: inOrder(diagnostics),
  };
}

function testsSnapshot(bare: Snapshot): Snapshot {
  const { root, comments, diagnostics } = readTests(bare.source);
  return { ...bare, root: root ?? parseDocuments(bare.source)[0], comments, diagnostics };
}

function projectSnapshot(bare: Snapshot): Snapshot {
  const { source, project } = bare;
  const { diagnostics: found } = readProject(source);
  const [root] = parseDocuments(source);
  // The names of lint rules are unknown if a module with lint rules was not loaded.
  const rules = project.failures.length > 0 ? undefined : project.rules;
  const diagnostics = found.length > 0 ? found : readLintSettings(source, rules).diagnostics;
  const extended = project.diagnostics.filter(
    one => one.uri === source.uri && !diagnostics.some(two => two.range.start === one.range.start),
  );
  return { ...bare, root, diagnostics: inOrder([...diagnostics, ...extended]) };
}

function inOrder(found: readonly Diagnostic[]): readonly Diagnostic[] {
  return found.toSorted((a, b) => a.range.start - b.range.start || a.range.end - b.range.end);
}
