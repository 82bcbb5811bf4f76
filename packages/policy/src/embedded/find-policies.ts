import { EDGE_V2 } from '@tollgate/catalog';
import { type Diagnostic, SourceText } from '@tollgate/diagnostics';
import {
  type DocumentNode,
  documentLimits,
  entryOf,
  type PlainValue,
  plainValue,
  Reporter,
  type ScalarNode,
} from '../document/document-node.ts';
import { applyEdits } from '../document/edits.ts';
import { readDocuments, readOnly } from '../document/read-document.ts';
import type { PartPath } from '../document/select-part.ts';
import { type EmbeddedPolicy, replacementInFile, type TextLayer } from './embedded-policy.ts';
import { findInDocument, innerSource, partAddress } from './find-in-document.ts';
import { findInTerraform } from './find-in-terraform.ts';
import { type CodeFence, findInFences } from './markdown.ts';
import { detectTemplate, maskTemplate, type TemplateKind } from './placeholders.ts';
import {
  isPlainPolicy,
  isPolicyNode,
  mayHoldPolicy,
  mentionsPhase,
  type PolicyPath,
  seemsPolicy,
} from './recognition.ts';

/** How embedded policies are found. */
export interface EmbeddedSettings {
  /** Where policies are that cannot be detected. */
  readonly addresses?: readonly PolicyPath[];
  /** The language of the placeholders in the file. Only Helm is detected. */
  readonly templates?: TemplateKind | undefined;
  /** Reads the code blocks of Markdown: `codeFences` of `@tollgate/policy/markdown`. Without it, Markdown is not searched. */
  readonly fences?: (markdown: string, name: string) => readonly CodeFence[];
}

const MARKDOWN = /\.(?:md|mdx|markdown)$/i;
const TERRAFORM = /\.(?:tf|tofu|tfvars|hcl)$/i;

/** Returns true for the name of a Markdown file, which takes a reader of code fences. */
export function isMarkdown(name: string): boolean {
  return MARKDOWN.test(name);
}

/** Returns true for the name of a file in a format other than YAML and JSON, which is never a policy as a whole. */
export function isEmbeddingFormat(name: string): boolean {
  return isMarkdown(name) || TERRAFORM.test(name);
}

/**
 * Returns the policies in a file: the file itself if it is one, and those inside a YAML, JSON, Terraform or Markdown file, also in
 * strings that contain YAML or JSON. Empty for a file without any. Recognition is by content; a file that contains no policy costs
 * little more than a search for the names of phases. Never throws on malformed input.
 */
export function findPolicies(file: SourceText, settings: EmbeddedSettings = {}): readonly EmbeddedPolicy[] {
  const { addresses = [], fences, templates } = settings;
  const context = { file, source: file, layers: [], path: { document: undefined, steps: [] }, addresses, templates };
  if (isMarkdown(file.uri))
    return fences && mentionsPhase(file.text) ? findInFences(context, fences(file.text, file.uri)) : [];
  if (TERRAFORM.test(file.uri)) return mentionsPhase(file.text) ? findInTerraform(context) : [];
  if (addresses.length === 0 && !mayHoldPolicy(file.text)) return [];
  const masked = maskedDocument(file, settings);
  return findInDocument({ ...context, ...masked, format: 'document' });
}

/** Returns true if a file is a policy as a whole, as {@link findPolicies} would find, and that is seen without reading it. */
export function isCertainPolicy({ uri, text }: SourceText, { templates }: EmbeddedSettings = {}): boolean {
  return templates === undefined && !/\.json$/i.test(uri) && !isEmbeddingFormat(uri) && isPlainPolicy(text);
}

/**
 * Returns the value of a file that is a policy as a whole, which {@link findPolicies} then finds alone. Undefined for a file with errors or
 * placeholders, and for any other. Reads the file once.
 */
export function wholePolicy(file: SourceText, { templates }: EmbeddedSettings = {}): PlainValue | undefined {
  if (templates ?? detectTemplate(file.text)) return undefined;
  if (isEmbeddingFormat(file.uri)) return undefined;
  const root = readOnly(file);
  return root && isPolicyNode(root) ? plainValue(root) : undefined;
}

/**
 * Returns true if a file in which {@link findPolicies} finds nothing is meant as a policy, so that what is wrong with it should be reported. Files of
 * other formats, and YAML and JSON without anything like a phase, contain no policy.
 */
export function isMeantAsPolicy({ uri, text }: SourceText): boolean {
  return !isEmbeddingFormat(uri) && seemsPolicy(text);
}

/** A file with stand-ins for its placeholders, and how it corresponds to the file. */
interface MaskedDocument {
  readonly source: SourceText;
  readonly layers: readonly TextLayer[];
}

/** Returns the document that a file is read as: the file itself unless it has placeholders. */
function maskedDocument(file: SourceText, { templates }: EmbeddedSettings): MaskedDocument {
  const kind = templates ?? detectTemplate(file.text);
  const masked = kind && maskTemplate(file.text, [kind]);
  if (!masked) return { source: file, layers: [] };
  const { text, placeholders } = masked;
  return {
    source: new SourceText(file.uri, text.value),
    layers: [{ style: 'template', text, outer: file.text, placeholders }],
  };
}

/**
 * Returns the policy at an address in a file. The address may lead into strings that contain a document. If nothing is there, returns
 * the file with the address as part, whose analysis reports how much of the address exists.
 */
export function policyAt(file: SourceText, path: PartPath, settings: EmbeddedSettings = {}): EmbeddedPolicy {
  const address = partAddress(path);
  const found = findPolicies(file, settings).find(one => partAddress(one.path) === address);
  return found ?? descend({ file, ...maskedDocument(file, settings), steps: [] }, path);
}

interface Descent {
  readonly file: SourceText;
  readonly source: SourceText;
  readonly layers: readonly TextLayer[];
  /** The steps that lead to `source`. */
  readonly steps: readonly string[];
}

function descend({ file, source, layers, steps: outer }: Descent, part: PartPath): EmbeddedPolicy {
  const path = { document: part.document, steps: [...outer, ...part.steps] };
  const { documents } = readDocuments(source, {
    limits: documentLimits(EDGE_V2),
    reporter: new Reporter(source.uri, 1),
  });
  const roots = part.document === undefined ? documents : documents.slice(part.document - 1, part.document);
  for (const root of roots) {
    const { node, taken } = walkToString(root, part.steps);
    if (node?.text) {
      const inner = { document: part.document, steps: path.steps.slice(0, outer.length + taken) };
      const layer: TextLayer = { style: node.style, text: node.text, outer: source.text };
      return descend(
        { file, source: innerSource(file, inner, node.text.value), layers: [layer, ...layers], steps: inner.steps },
        { document: undefined, steps: part.steps.slice(taken) },
      );
    }
  }
  const isWhole = part.document === undefined && part.steps.length === 0;
  const range = { start: 0, end: source.text.length };
  return {
    ...{ format: 'document', file, path, source, layers, range, endpoint: undefined },
    part: isWhole ? undefined : part,
  };
}

/** Follows the path up to the first string on it; a string at the root is not a document of its own. */
function walkToString(
  root: DocumentNode,
  steps: readonly string[],
): { readonly node: ScalarNode | undefined; readonly taken: number } {
  let node: DocumentNode | undefined = root;
  let taken = 0;
  while (node && taken < steps.length && node.kind !== 'scalar') {
    const step: string = steps[taken]!;
    node =
      node.kind === 'map' ? entryOf(node, step)?.value : node.kind === 'list' ? node.items[Number(step)] : undefined;
    taken += 1;
  }
  return { node: node?.kind === 'scalar' && taken > 0 ? node : undefined, taken };
}

/** A file with another text for one of its policies, or why the text cannot be written there. */
export type RewrittenFile =
  | { readonly file: SourceText; readonly refusal?: undefined }
  | { readonly file?: undefined; readonly refusal: Diagnostic };

/**
 * Returns the file with `text` as the document of a policy in it; everything else stays byte for byte. The result is read back: it
 * is refused unless the policy's document is then the wanted one. A refusal is a finding in the policy's own document.
 */
export function rewriteInFile(policy: EmbeddedPolicy, text: string, settings: EmbeddedSettings = {}): RewrittenFile {
  const { file, source, path, layers } = policy;
  if (text === source.text) return { file };
  if (layers.length === 0) return { file: new SourceText(file.uri, text) };
  const edit = replacementInFile(policy, text);
  const rewritten = edit && new SourceText(file.uri, applyEdits(file.text, [edit]));
  const isRead = rewritten && isSame(policyAt(rewritten, path, settings).source.text, text);
  return isRead ? { file: rewritten } : { refusal: refusalOf(policy) };
}

/** The line breaks at the end are given by the notation around the text. */
function isSame(read: string, wanted: string): boolean {
  return read.replace(/\n*$/, '') === wanted.replace(/\n*$/, '');
}

const REMEDIES: Readonly<Partial<Record<string, string>>> = {
  'hcl-object': 'pass it as a heredoc',
};

function refusalOf({ layers, source }: EmbeddedPolicy): Diagnostic {
  const styles = layers.map(({ style }) => style);
  const remedy = REMEDIES[styles[0]!] ?? 'write it as a block scalar with `|`';
  return {
    code: 'format/embedded',
    severity: 'error',
    message: `the changed policy cannot be written in the notation of the file around it; ${remedy}`,
    uri: source.uri,
    range: { start: 0, end: 1 },
    args: { styles },
  };
}
