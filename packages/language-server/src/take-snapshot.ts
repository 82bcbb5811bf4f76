import { type EndpointKind, PROFILES } from '@tollgate/catalog';
import { explainDetection, type Target, targetOfEmbedded } from '@tollgate/core/targeting';
import { type Diagnostic, lineStart, type SourceText, type TextEdit } from '@tollgate/diagnostics';
import { readLintSettings } from '@tollgate/lint';
import {
  type AnalysisOptions,
  analyzePolicies,
  analyzePolicy,
  type EmbeddedSettings,
  type ExpressionCache,
  findingsInFile,
  findPolicies,
  parseDocuments,
  partAddress,
  readEdgeDocument,
  readProject,
  readTests,
  reanalyzeWhileTyping,
  shiftDiagnostic,
} from '@tollgate/policy';
import type { DocumentKind, Host, Project } from './host.ts';
import type { Replaced } from './protocol.ts';
import { type AnalysedPolicy, invariantsSnapshot, type Snapshot } from './snapshot.ts';

const PHASES = [...new Set(PROFILES.flatMap(({ phases }) => phases))].join('|');

/** A phase as a key of the outermost map, or inside one wrapper. */
const PHASE = new RegExp(
  `^[ \\t]{0,4}["']?(?:${PHASES})["']?[ \\t]*:|^[ \\t]*\\{[^{}]{0,80}["'](?:${PHASES})["']\\s*:`,
  'm',
);
const ACTIONS = /(?:^|[\s{,"'-])actions["']?\s*:/;
/** The start of a template of another tool. */
const TEMPLATE = /^[ \t]*\{\{|^[ \t]*\{%/m;

/**
 * Returns true if a plain YAML or JSON document is a policy beyond doubt. Documents with the language id of policies need not be; all
 * others are left to other tools unless they are.
 */
function claimsPolicy(text: string): boolean {
  return PHASE.test(text) && ACTIONS.test(text) && !TEMPLATE.test(text);
}

/** Like {@link claimsPolicy}, for the result of an edit of a policy: only the edited lines can have become a template. */
function stillClaimsPolicy(text: string, { range: { start }, newText }: TextEdit): boolean {
  const end = text.indexOf('\n', start + newText.length);
  const lines = text.slice(lineStart(text, start), end < 0 ? text.length : end);
  return PHASE.test(text) && ACTIONS.test(text) && !TEMPLATE.test(lines);
}

/** Names of files that are policies. */
const POLICY_NAME = /\.(?:policy|tollgate)\.(?:ya?ml|json)$|(?:^|[\\/])(?:traffic-)?policy\.ya?ml$/;
/** The comment that says what a document is, on its first line. */
const SAYS_POLICY = /^\s*#[ \t]*tollgate:[ \t]*policy[ \t]*(?:\r?\n|$)/;

const AT_MARGIN = /^[^\s#].*/gm;
const MARGIN_OF_POLICY = new RegExp(`^(?:(?:"?(?:${PHASES})"?|enabled):.*|-.*|---|[\\w"]+|[{}\\]].*)$`);
const JSON_START = new RegExp(`^\\s*\\{\\s*(?:"(?:\\w*$|\\w*"\\s*$|(?:${PHASES})"\\s*:)|$)`);
const BEGINS_PHASE = /^"?(?:on_\w+|inbound|outbound)"?:(.*)$/m;
/** What follows \`inbound\` in a policy: a rule, or nothing yet. Other files have keys of that name, too. */
const RULES_FOLLOW = /^\s*(?:$|-\s*(?:\w*$|["']?(?:name|expressions|actions)\b)|\[)/;

/**
 * Returns true if a document that is being written from nothing is going to be a policy: nothing in it says otherwise, and its name, a
 * file that names it, its first line or a phase as its first key says so.
 */
function beginsPolicy({ path, source: { text } }: Pick<SentDocument, 'path' | 'source'>, isNamed: boolean): boolean {
  if (text.length > MAX_BEGINNING || TEMPLATE.test(text)) return false;
  const isJson = /^\s*\{/.test(text) || path.endsWith('.json');
  const fits = isJson
    ? text.trim() === '' || JSON_START.test(text)
    : [...text.matchAll(AT_MARGIN)].every(([line]) => MARGIN_OF_POLICY.test(line));
  if (!fits) return false;
  if (isNamed || POLICY_NAME.test(path) || SAYS_POLICY.test(text)) return true;
  if (isJson) return PHASE.test(text);
  const phase = BEGINS_PHASE.exec(text);
  if (!phase || !PHASE.test(text)) return false;
  const [first = '', value = ''] = phase;
  return value.trim() === '' && RULES_FOLLOW.test(text.slice(phase.index + first.length));
}

/** A longer document is a policy only if all of it says so. */
const MAX_BEGINNING = 20_000;

/** Returns true if a file that other files name as a policy may be one that is being written. */
export function mayBecomePolicy(snapshot: Snapshot): boolean {
  return snapshot.kind === 'other' && snapshot.languageId !== '' && beginsPolicy(snapshot, true);
}

/** A document as the client sent it. */
export interface SentDocument {
  readonly uri: string;
  readonly path: string;
  readonly version: number;
  readonly languageId: string;
  readonly source: SourceText;
}

/** What all snapshots share. */
export interface SnapshotContext {
  readonly project: Project;
  readonly embeddedSettings: EmbeddedSettings;
  readonly expressions: ExpressionCache;
  readonly kindOf: Host['kindOf'];
  /** True for a file that policy tests or settings name as a policy. */
  readonly isNamed: boolean;
}

/** The language id of policies. */
const LANGUAGE = 'tollgate';

/** Name of project files. */
const PROJECT_NAME = /(?:^|[\\/])tollgate\.yaml$/;

/** Analyses a document from scratch. Never throws because of its content. */
export function takeSnapshot(document: SentDocument, context: SnapshotContext): Snapshot {
  const kind = kindOfDocument(document, context);
  const bare: Snapshot = {
    ...document,
    kind,
    project: context.project,
    embeddedSettings: context.embeddedSettings,
    policies: [],
    embedded: [],
    target: undefined,
    root: undefined,
    comments: [],
    diagnostics: [],
    claims: undefined,
    tested: undefined,
    lastGood: undefined,
    base: undefined,
  };
  switch (kind) {
    case 'policy':
      return policySnapshot(bare, context);
    case 'edge':
      return edgeSnapshot(bare, context);
    case 'embedding':
      return embeddingSnapshot(bare, context);
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
function kindOfDocument(
  document: Pick<SentDocument, 'path' | 'languageId' | 'source'>,
  { kindOf, embeddedSettings, isNamed }: Pick<SnapshotContext, 'kindOf' | 'embeddedSettings' | 'isNamed'>,
): DocumentKind {
  const { path, languageId, source } = document;
  if (PROJECT_NAME.test(path)) return 'project';
  const kind = kindOf(source, embeddedSettings);
  if (languageId === LANGUAGE) return kind === 'other' ? 'policy' : kind;
  if (kind !== 'policy' && kind !== 'other') return kind;
  const isPolicy = (kind === 'policy' && claimsPolicy(source.text)) || beginsPolicy(document, isNamed);
  return isPolicy ? 'policy' : 'other';
}

/** Returns the options for analysing a document for a target. */
function optionsFor(target: Target, { expressions }: Pick<SnapshotContext, 'expressions'>): AnalysisOptions {
  return { ...target, expressions };
}

function policySnapshot(bare: Snapshot, context: SnapshotContext): Snapshot {
  const target = targetOf(bare);
  if (!target) return bare;
  const { source } = bare;
  const options = optionsFor(target, context);
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
function withAnalysis(bare: Snapshot, analysis: NonNullable<Snapshot['base']>, target: Target): Snapshot {
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

function edgeSnapshot(bare: Snapshot, context: SnapshotContext): Snapshot {
  const edge = readEdgeDocument(bare.source);
  const target = edge && targetOf(bare, edge.endpoint);
  if (!edge || !target) return bare;
  const found = edge.policies.map(({ part }) => {
    const analysis = analyzePolicy(bare.source, { ...optionsFor(target, context), part });
    return { ...analysis, part };
  });
  const policies = found.flatMap(({ policy, environments, part }) =>
    policy ? [{ policy, target, environments, part, address: partAddress(part) }] : [],
  );
  const diagnostics = inOrder(found.flatMap(one => one.diagnostics));
  return { ...bare, target, policies, comments: found[0]?.comments ?? [], diagnostics };
}

function embeddingSnapshot(bare: Snapshot, context: SnapshotContext): Snapshot {
  const { source, project, embeddedSettings } = bare;
  const found = findPolicies(source, embeddedSettings).flatMap(embedded => {
    const target = targetOfEmbedded(embedded, project.targetOf);
    if (target instanceof Error) return [];
    const { part } = embedded;
    const analysis = analyzePolicy(embedded.source, { ...optionsFor(target, context), ...(part && { part }) });
    const { policy, environments, comments, diagnostics } = analysis;
    const address = partAddress(embedded.path);
    const policies: readonly AnalysedPolicy[] = policy ? [{ policy, target, environments, part, address }] : [];
    const inner: Snapshot = {
      ...bare,
      kind: 'policy',
      source: embedded.source,
      target,
      policies,
      comments,
      diagnostics,
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
  const rules = project.failures.length > 0 ? undefined : project.rules();
  const diagnostics = found.length > 0 ? found : readLintSettings(source, rules).diagnostics;
  const extended = project.diagnostics.filter(
    one => one.uri === source.uri && !diagnostics.some(two => two.range.start === one.range.start),
  );
  return { ...bare, root, diagnostics: inOrder([...diagnostics, ...extended]) };
}

function inOrder(found: readonly Diagnostic[]): readonly Diagnostic[] {
  return found.toSorted((a, b) => a.range.start - b.range.start || a.range.end - b.range.end);
}

/**
 * Returns the snapshot of an edited document: what {@link takeSnapshot} returns, but after an edit inside one rule only that rule is read
 * again. If that leaves the document unreadable as a whole, the snapshot is provisional; see {@link isProvisional}. A long document that was
 * unreadable when it was opened keeps its diagnostics until the next pause: reading it takes longer than a keystroke may take.
 */
export function editSnapshot(
  before: Snapshot,
  document: SentDocument,
  { range, length }: Replaced,
  context: SnapshotContext,
): Snapshot {
  const { base, target, project } = before;
  const { source } = document;
  const edit = { range, newText: source.text.slice(range.start, range.start + length) };
  const isSame =
    project === context.project && before.kind === 'policy' && isSameKind(before, document, { edit, context });
  if (!base || !target || !isSame) return takeSnapshot(document, context);
  if (base.parts.size === undefined && source.text.length > LONG)
    return {
      ...before,
      ...document,
      lastGood: undefined,
      policies: [],
      comments: [],
      diagnostics: moveFindings(before.diagnostics, { range, length }),
    };
  const now = targetAfter(before, document, edit);
  if (!now || now.profile !== target.profile || now.endpoint !== target.endpoint)
    return takeSnapshot(document, context);
  const analysis = reanalyzeWhileTyping(base, edit, optionsFor(now, context), source);
  if (analysis.diagnostics.some(one => one.code === 'yaml/several-documents')) return takeSnapshot(document, context);
  return withAnalysis({ ...before, ...document, lastGood: undefined }, analysis, now);
}

/** Returns true if {@link takeSnapshot} may find other diagnostics or another kind or profile in the document. */
export function isProvisional({ base, kind, source }: Snapshot): boolean {
  return kind === 'policy' && base !== undefined && (base.parts.bridged !== undefined || source.text.length > LONG);
}

/** From this length on, what a document contains and its profile are not detected after each edit, which would take longer than reading a rule. */
const LONG = 50_000;

function targetAfter({ project, target }: Snapshot, { source }: SentDocument, edit: TextEdit): Target | undefined {
  if (source.text.length > LONG) return target && withEvidence(target, edit);
  const now = project.targetOf(source);
  return now instanceof Error ? undefined : now;
}

/** Moves what the profile was detected from with an edit before it. */
function withEvidence(target: Target, { range, newText }: TextEdit): Target {
  const { detected } = target;
  const { evidence } = detected ?? {};
  if (!detected || !evidence || evidence.start < range.end) return target;
  const by = newText.length - (range.end - range.start);
  return { ...target, detected: { ...detected, evidence: { start: evidence.start + by, end: evidence.end + by } } };
}

/** Finding out what a long document contains takes longer than reading a rule again. A policy stays one until it stops looking like one. */
function isSameKind(
  before: Snapshot,
  document: SentDocument,
  { edit, context }: { readonly edit: TextEdit; readonly context: SnapshotContext },
): boolean {
  const { text } = document.source;
  if (text.length > LONG && (document.languageId === LANGUAGE || stillClaimsPolicy(text, edit))) return true;
  return kindOfDocument(document, context) === before.kind;
}

/** Moves findings with an edit, and drops those of the edited part. */
export function moveFindings(found: readonly Diagnostic[], { range, length }: Replaced): readonly Diagnostic[] {
  const shift = { from: range.end, by: length - (range.end - range.start) };
  return found
    .filter(one => one.range.end < range.start || one.range.start > range.end)
    .map(one => (one.range.start < range.start ? one : shiftDiagnostic(one, shift)));
}
