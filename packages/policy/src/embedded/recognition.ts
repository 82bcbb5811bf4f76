import { type EndpointKind, PROFILES } from '@tollgate/catalog';
import { nearest } from '@tollgate/cel/tooling';
import { type DocumentNode, entryOf, type MapEntryNode, type MapNode } from '../document/document-node.ts';

/** Where the policy is in a resource or file. */
export interface PolicyPath {
  /** The `kind` of a Kubernetes resource; without it, every document with the path. */
  readonly kind?: string;
  /** Keys and list indices, outermost first; `*` stands for any. */
  readonly path: readonly string[];
}

/** The resources of the Kubernetes operator. What is at these paths is a policy even if it has no valid key. */
export const KNOWN_PLACES: readonly PolicyPath[] = [
  { kind: 'NgrokTrafficPolicy', path: ['spec', 'policy'] },
  { kind: 'CloudEndpoint', path: ['spec', 'trafficPolicy', 'policy'] },
  { kind: 'AgentEndpoint', path: ['spec', 'trafficPolicy', 'inline'] },
  { kind: 'HTTPSEdge', path: ['spec', 'routes', '*', 'policy'] },
  { kind: 'TLSEdge', path: ['spec', 'policy'] },
  { kind: 'TCPEdge', path: ['spec', 'policy'] },
];

/** Returns the nodes of a document at the addresses that name them. */
export function nodesAt(root: DocumentNode, addresses: readonly PolicyPath[]): ReadonlySet<DocumentNode> {
  const found = new Set<DocumentNode>();
  for (const { kind, path } of addresses)
    if (kind === undefined || kind === stringAt(root, 'kind'))
      for (const node of nodesBelow(root, path)) found.add(node);
  return found;
}

function nodesBelow(node: DocumentNode, [step, ...rest]: readonly string[]): readonly DocumentNode[] {
  if (step === undefined) return [node];
  if (node.kind === 'list') {
    const items = step === '*' ? node.items : node.items.slice(Number(step), Number(step) + 1);
    return items.flatMap(item => nodesBelow(item, rest));
  }
  if (node.kind !== 'map') return [];
  return node.entries.flatMap(({ key, value }) => (step === '*' || key === step ? nodesBelow(value, rest) : []));
}

const ENDPOINTS: Readonly<Record<string, EndpointKind>> = {
  HTTPSEdge: 'https-route',
  TLSEdge: 'tls-edge',
  TCPEdge: 'tcp-edge',
};

/** Returns the kind of endpoint that a map states, by its kind or the scheme of its URL. */
export function endpointOf(map: MapNode): EndpointKind | undefined {
  const kind = stringAt(map, 'kind');
  if (kind !== undefined && Object.hasOwn(ENDPOINTS, kind)) return ENDPOINTS[kind];
  const scheme = /^(tcp|tls):\/\//.exec(stringAt(map, 'url') ?? '')?.[1];
  if (scheme === undefined) return undefined;
  return scheme === 'tcp' ? 'tcp-endpoint' : 'tls-endpoint';
}

function stringAt(node: DocumentNode, key: string): string | undefined {
  const value = node.kind === 'map' ? entryOf(node, key)?.value : undefined;
  return value?.kind === 'scalar' && typeof value.value === 'string' ? value.value : undefined;
}

const PHASE_PATTERN = [...new Set(PROFILES.flatMap(({ phases }) => phases))].join('|');

/** A line at the margin, unless it is a comment. Strings and brackets of a policy are indented. */
const AT_MARGIN = /^[^\s#].*/gm;
/** What the lines at the margin of a policy are: phases without a value on their line, items of their lists, and `enabled`. */
const OF_POLICY = new RegExp(`^(?:(?:${PHASE_PATTERN}):[ ]*(?:[ ]#.*)?|-(?: .*)?|enabled:[ ]+(?:true|false)[ ]*)$`);
/** Only comments precede the first line at the margin. */
const FIRST_CONTENT = /^(?: *(?:#[^\n]*|\r)?\n)*[^\s#-]/;
const NO_CONTENT = / *(?:#[^\n]*)?\r?\n/y;
const ITEM = / *- /y;

/**
 * Returns true if the lines at the margin show that a YAML text is a policy as a whole. Most policies are recognized by it, without being read;
 * a text that has errors further inside is one, too.
 */
export function isPlainPolicy(text: string): boolean {
  if (text.includes('{{') || !FIRST_CONTENT.test(text) || !/\bactions:/.test(text)) return false;
  let hasRules = false;
  for (const { 0: line, index } of text.matchAll(AT_MARGIN)) {
    if (!OF_POLICY.test(line)) return false;
    // `inbound` and `outbound` are keys of other files, too.
    hasRules ||= line.startsWith('on_') && isItem(text, index + line.length);
  }
  return hasRules;
}

/** Returns true if the first line with content below an offset begins an item. */
function isItem(text: string, offset: number): boolean {
  let at = text.indexOf('\n', offset) + 1;
  if (at === 0) return false;
  NO_CONTENT.lastIndex = at;
  while (NO_CONTENT.test(text)) at = NO_CONTENT.lastIndex;
  ITEM.lastIndex = at;
  return ITEM.test(text);
}

/** Names of phases that nothing else uses. */
const PHASES: ReadonlySet<string> = new Set(PROFILES.flatMap(({ phases }) => phases));
const DISTINCT_PHASES: ReadonlySet<string> = new Set([...PHASES].filter(phase => phase.startsWith('on_')));
const POLICY_KEYS: ReadonlySet<string> = new Set(['enabled', ...PHASES]);

/** A key, quoted or not, at the start of a line or after a bracket, comma, space, or one that is escaped. */
const PHASE_KEY = new RegExp(`(?:^|[\\s{,"']|\\\\[nrt])(?:${[...PHASES].join('|')})\\\\*["']?\\s*[:=]`);

/** Returns true if a text has the key of a phase somewhere. Most files are dismissed by this test. */
export function mentionsPhase(text: string): boolean {
  return PHASE_KEY.test(text);
}

/** The kinds of resources whose policy may have no valid key. */
const KIND = new RegExp(`^kind\\s*:\\s*["']?(?:${KNOWN_PLACES.map(({ kind }) => kind).join('|')})\\b|"kind"`, 'm');
const OUTER_KEY = /^[ \t]{0,4}["']?(\w+)["']?\s*:/gm;
/** Maximum number of keys to look at; policies have few. */
const MAX_KEYS = 20;

/** Returns true if a file may be or hold a policy. Misspelt phases count near its margin only. */
export function mayHoldPolicy(text: string): boolean {
  if (mentionsPhase(text) || KIND.test(text)) return true;
  let count = 0;
  for (const [, key = ''] of text.matchAll(OUTER_KEY)) {
    if (isPhaseLike(key)) return true;
    if (++count === MAX_KEYS) break;
  }
  return false;
}

/**
 * Returns true if a value is a policy, perhaps one with mistakes. The names `inbound` and `outbound` also occur in other files,
 * so their values must look like rules; a misspelt phase must contain rules.
 */
export function isPolicyNode(node: DocumentNode): boolean {
  if (node.kind !== 'map') return false;
  for (const { key, value } of node.entries) {
    if (value.kind === 'list' && value.items.some(isRule) && isPhaseLike(key)) return true;
    if (DISTINCT_PHASES.has(key) && (value.kind === 'list' || isNull(value))) return true;
  }
  const phases = node.entries.filter(({ key }) => PHASES.has(key));
  return (
    phases.length > 0 &&
    phases.every(({ value }) => isNothing(value)) &&
    node.entries.every(({ key }) => POLICY_KEYS.has(key))
  );
}

/** Number of keys in the body of a request to the API. */
const MAX_REQUEST_KEYS = 4;

/** Returns true if a whole document is a policy: as {@link isPolicyNode}, or nothing but phases, perhaps misspelt and without rules. */
export function isPolicyDocument(node: DocumentNode): boolean {
  if (node.kind !== 'map' || isPolicyNode(node)) return node.kind === 'map';
  // The body of a request to the API, whose other keys are checked with the policy.
  const module = entryOf(node, 'module')?.value;
  if (module && isPolicyNode(module) && node.entries.length <= MAX_REQUEST_KEYS) return true;
  const isPhase = ({ key, value }: MapEntryNode) => isPhaseLike(key) && isNothing(value);
  return node.entries.some(isPhase) && node.entries.every(entry => entry.key === 'enabled' || isPhase(entry));
}

function isPhaseLike(key: string): boolean {
  return PHASES.has(key) || nearest(key, [...PHASES]) !== undefined;
}

function isNothing(node: DocumentNode): boolean {
  return isNull(node) || (node.kind === 'list' && node.items.length === 0);
}

function isNull(node: DocumentNode): boolean {
  return node.kind === 'scalar' && node.value === null;
}

function isRule(node: DocumentNode): boolean {
  if (node.kind !== 'map') return false;
  const actions = entryOf(node, 'actions')?.value;
  if (actions?.kind === 'list' && actions.items.some(one => one.kind === 'map' && entryOf(one, 'type'))) return true;
  const expressions = entryOf(node, 'expressions')?.value;
  return expressions?.kind === 'list' && expressions.items.some(one => one.kind === 'scalar' || one.kind === 'broken');
}

/** The first line that is neither empty nor a comment begins a YAML or JSON document. */
const BEGINNING = /^(?:[^\S\n]*(?:#[^\n]*)?\n)*(?:[^\S\n]*\{|---|[ \t]*["']?[\w.-]+["']?\s*:)/;
const OUTER_PHASE = new RegExp(`^["']?(?:${[...PHASES].join('|')})["']?\\s*:`, 'm');

/** Returns true if a text that is not valid YAML or JSON seems to be a policy. */
export function looksLikePolicy(text: string): boolean {
  return OUTER_PHASE.test(text) && /\bactions["']?\s*:/.test(text) && BEGINNING.test(text);
}

const MARGIN_KEY = /^(?:[ \t]{0,4}|\{[ \t]*)["']?([\w-]+)["']?[ \t]*:/gm;
const RULE_KEYS = /^[ \t]*(?:- )?["']?(?:name|expressions|actions)["']?[ \t]*:/m;

/** Returns true if a text that contains no policy, perhaps because of errors, was meant as one: it has a phase, perhaps misspelt, at its margin. */
export function seemsPolicy(text: string): boolean {
  const phases = [...DISTINCT_PHASES];
  const hasRules = RULE_KEYS.test(text);
  for (const [, key = ''] of text.matchAll(MARGIN_KEY))
    if (DISTINCT_PHASES.has(key) || nearest(key, phases) !== undefined || (hasRules && PHASES.has(key))) return true;
  return /^[- ] expressions:/m.test(text) && /^[- ] actions:/m.test(text);
}
