import { SourceText } from '@tollgate/diagnostics';
import { type PlainValue, plainValue } from '../document/model/document-node.ts';
import { readOnly } from '../document/read-plain.ts';
import { findInDocument } from './documents/find-in-document.ts';
import { type CodeFence, findInFences } from './markdown/find-in-fences.ts';
import type { EmbeddedPolicy, TextLayer } from './model/embedded-policy.ts';
import { detectTemplate, maskTemplate, type TemplateKind } from './placeholders/mask-template.ts';
import type { PolicyPath } from './recognition/places.ts';
import { isPlainPolicy } from './recognition/plain-policy.ts';
import { isPolicyNode, mayHoldPolicy, mentionsPhase } from './recognition/policy-keys.ts';
import { findInTerraform } from './terraform/find-in-terraform.ts';

/** How to read carriers. */
export interface CarrierSettings {
  /** Where policies are that cannot be detected. */
  readonly places?: readonly PolicyPath[];
  /** The language of the placeholders in the file. Only Helm is detected. */
  readonly templates?: TemplateKind | undefined;
  /** Reads the code blocks of Markdown: `codeFences` of `@tollgate/policy/markdown`. Without it, Markdown is not searched. */
  readonly fences?: (markdown: string) => readonly CodeFence[];
}

const MARKDOWN = /\.(?:md|mdx|markdown)$/i;
const TERRAFORM = /\.(?:tf|tofu|tfvars|hcl)$/i;

/** Returns true for the name of a Markdown file, which takes a reader of code fences. */
export function isMarkdown(name: string): boolean {
  return MARKDOWN.test(name);
}

/**
 * Returns the policies in a file: the file itself if it is one, and those inside a YAML, JSON, Terraform or Markdown file, also in
 * strings that contain YAML or JSON. Empty for a file without any. Recognition is by content; a file that contains no policy costs
 * little more than a search for the names of phases. Never throws on malformed input.
 */
export function findPolicies(file: SourceText, settings: CarrierSettings = {}): readonly EmbeddedPolicy[] {
  const { places = [], fences } = settings;
  const context = { file, source: file, layers: [], path: { document: undefined, steps: [] }, places };
  if (isMarkdown(file.uri)) return fences && mentionsPhase(file.text) ? findInFences(context, fences(file.text)) : [];
  if (TERRAFORM.test(file.uri)) return mentionsPhase(file.text) ? findInTerraform(context) : [];
  if (places.length === 0 && !mayHoldPolicy(file.text)) return [];
  const masked = maskedDocument(file, settings);
  return findInDocument({ ...context, ...masked, carrier: 'document' });
}

/** Returns true if a file is a policy as a whole, as {@link findPolicies} would find, and that is seen without reading it. */
export function isCertainPolicy({ uri, text }: SourceText, { templates }: CarrierSettings = {}): boolean {
  return (
    templates === undefined && !/\.json$/i.test(uri) && !isMarkdown(uri) && !TERRAFORM.test(uri) && isPlainPolicy(text)
  );
}

/**
 * Returns the value of a file that is a policy as a whole, which {@link findPolicies} then finds alone. Undefined for a file with errors or
 * placeholders, and for any other. Reads the file once.
 */
export function wholePolicy(file: SourceText, { templates }: CarrierSettings = {}): PlainValue | undefined {
  if (templates ?? detectTemplate(file.text)) return undefined;
  if (isMarkdown(file.uri) || TERRAFORM.test(file.uri)) return undefined;
  const root = readOnly(file);
  return root && isPolicyNode(root) ? plainValue(root) : undefined;
}

/** A file with stand-ins for its placeholders, and how it corresponds to the file. */
interface MaskedDocument {
  readonly source: SourceText;
  readonly layers: readonly TextLayer[];
}

/** Returns the document that a file is read as: the file itself unless it has placeholders. */
export function maskedDocument(file: SourceText, { templates }: CarrierSettings): MaskedDocument {
  const kind = templates ?? detectTemplate(file.text);
  const masked = kind && maskTemplate(file.text, kind);
  if (!masked) return { source: file, layers: [] };
  const { text, placeholders } = masked;
  return {
    source: new SourceText(file.uri, text.value),
    layers: [{ style: 'template', text, outer: file.text, placeholders }],
  };
}
