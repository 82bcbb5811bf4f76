import { EDGE_V2, type EndpointKind } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import {
  type DocumentNode,
  documentLimits,
  type MapNode,
  Reporter,
  type ScalarNode,
} from '../document/document-node.ts';
import { readDocuments } from '../document/read-document.ts';
import type { PartPath } from '../document/select-part.ts';
import type { EmbeddedPolicy, EmbeddingFormat, TextLayer } from './embedded-policy.ts';
import type { TemplateKind } from './placeholders.ts';
import {
  endpointOf,
  isPolicyDocument,
  isPolicyNode,
  KNOWN_PLACES,
  looksLikePolicy,
  mentionsPhase,
  nodesAt,
  type PolicyPath,
} from './recognition.ts';

/** What is searched for policies: a file, or the contents of a string, heredoc or code fence in it. */
export interface SearchContext {
  readonly file: SourceText;
  readonly source: SourceText;
  readonly layers: readonly TextLayer[];
  /** Address of the document in the file. */
  readonly path: PartPath;
  /** Where the settings say that policies are. */
  readonly addresses: readonly PolicyPath[];
  /** The language of the placeholders in the file. */
  readonly templates?: TemplateKind | undefined;
}

/** A YAML or JSON document to search. */
interface SearchedDocument extends SearchContext {
  readonly format: EmbeddingFormat;
  /** True if the document is known to be a policy, even one that cannot be recognized. */
  readonly isPolicy?: boolean;
  readonly endpoint?: EndpointKind | undefined;
}

/** Returns the policies in a YAML or JSON document: the document itself, values in it, and documents in its strings. */
export function findInDocument(document: SearchedDocument): readonly EmbeddedPolicy[] {
  const { source, addresses, isPolicy = false } = document;
  const reporter = new Reporter(source.uri, 1);
  const { documents } = readDocuments(source, { limits: documentLimits(EDGE_V2), reporter });
  const isRoot = documents.length > 0 && documents.every(isPolicyDocument);
  if (isRoot || isPolicy) return [wholeDocument(document, documents)];
  const found = documents.flatMap((root, index) => {
    const number = documents.length > 1 ? index + 1 : undefined;
    const named = nodesAt(root, [...KNOWN_PLACES, ...addresses]);
    return search({ document, number, named, seen: new Set() }, { node: root, steps: [], endpoint: undefined });
  });
  if (found.length > 0 || reporter.isEmpty) return found;
  return looksLikePolicy(source.text) ? [wholeDocument(document, documents)] : [];
}

function wholeDocument(
  { format, file, source, layers, path, endpoint }: SearchedDocument,
  documents: readonly DocumentNode[],
): EmbeddedPolicy {
  const range = { start: documents[0]?.range.start ?? 0, end: documents.at(-1)?.range.end ?? source.text.length };
  return { format, file, path, source, part: undefined, layers, range, endpoint };
}

interface Search {
  readonly document: SearchedDocument;
  /** Of the document in its stream, from 1; undefined if it is the only one. */
  readonly number: number | undefined;
  /** The nodes that are policies because of where they are. */
  readonly named: ReadonlySet<DocumentNode>;
  /** Aliases visit a node repeatedly. */
  readonly seen: Set<DocumentNode>;
}

interface Visit {
  readonly node: DocumentNode;
  readonly steps: readonly string[];
  /** What the maps around the node state. */
  readonly endpoint: EndpointKind | undefined;
}

function search(context: Search, { node, steps, endpoint }: Visit): readonly EmbeddedPolicy[] {
  if (context.seen.has(node)) return [];
  context.seen.add(node);
  const isNamed = context.named.has(node);
  if (node.kind === 'map') {
    if (isPolicyNode(node) || (isNamed && node.entries.length > 0)) return [partOf(context, { node, steps, endpoint })];
    const stated = endpointOf(node) ?? endpoint;
    return node.entries.flatMap(({ key, value }) =>
      search(context, { node: value, steps: [...steps, key], endpoint: stated }),
    );
  }
  if (node.kind === 'list')
    return node.items.flatMap((item, index) =>
      search(context, { node: item, steps: [...steps, String(index)], endpoint }),
    );
  return node.kind === 'scalar' ? searchString(context, { node, steps, endpoint }, isNamed) : [];
}

function partOf(
  { document, number }: Search,
  { node, steps, endpoint }: Visit & { readonly node: MapNode },
): EmbeddedPolicy {
  const { format, file, source, layers, path } = document;
  return {
    ...{ format, file, source, layers },
    path: joinPaths(path, { document: number, steps }),
    part: { document: number, steps },
    range: node.range,
    endpoint: endpoint ?? document.endpoint,
  };
}

function joinPaths(outer: PartPath, inner: PartPath): PartPath {
  return { document: outer.document ?? inner.document, steps: [...outer.steps, ...inner.steps] };
}

/** Maximum nesting of documents in strings. */
const MAX_LAYERS = 3;

function searchString(
  { document, number }: Search,
  { node, steps, endpoint }: Visit & { readonly node: ScalarNode },
  isNamed: boolean,
): readonly EmbeddedPolicy[] {
  const { text, style } = node;
  if (!text || (!isNamed && !mayHoldDocument(text.value))) return [];
  if (document.layers.length === MAX_LAYERS || text.value.trim() === '') return [];
  const path = joinPaths(document.path, { document: number, steps });
  return findInDocument({
    ...document,
    path,
    source: innerSource(document.file, path, text.value),
    layers: [{ style, text, outer: document.source.text }, ...document.layers],
    isPolicy: isNamed,
    endpoint: endpoint ?? document.endpoint,
  });
}

function mayHoldDocument(text: string): boolean {
  return (text.includes('\n') || text.trimStart().startsWith('{')) && mentionsPhase(text);
}

/** Returns a document inside a file as a source with a name of its own, by which JSON stays JSON. */
export function innerSource(file: SourceText, path: PartPath, text: string): SourceText {
  return new SourceText(`${file.uri}#${partAddress(path)}${isJson(text) ? '.json' : ''}`, text);
}

/** Returns a path in the notation of the command line, such as `2/spec/policy`. */
export function partAddress({ document, steps }: PartPath): string {
  const pointer = steps.map(step => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
  return `${document ?? ''}${pointer}`;
}

function isJson(text: string): boolean {
  if (!text.trimStart().startsWith('{')) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
