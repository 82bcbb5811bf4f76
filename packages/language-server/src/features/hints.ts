import { formatType, type TypedAst } from '@tollgate/cel';
import type { Range, SourceText } from '@tollgate/diagnostics';
import { documentRange, type MappedText, type Rule } from '@tollgate/policy';
import { type InlayHint, InlayHintKind } from 'vscode-languageserver-types';
import { visitWritten } from '../cursor/expression-place.ts';
import { uriOfPolicy } from '../protocol.ts';
import type { Snapshot } from '../snapshot.ts';

/** What a replay of a policy counted. */
export interface ReplayHits {
  readonly exchanges: number;
  readonly rules: readonly RuleHits[];
}

interface RuleHits {
  readonly phase: string;
  /** From 0, in the phase. */
  readonly index: number;
  readonly name: string | undefined;
  readonly matched: number;
  readonly undetermined: number;
}

/** Returns how often each rule in a part of a document matched in the last replay of its policy. Rules that were renamed since have no hint. */
export function hitHints(
  { policies, source, uri }: Snapshot,
  part: Range,
  replays: ReadonlyMap<string, ReplayHits>,
): readonly InlayHint[] {
  return policies.flatMap(({ policy, address }) => {
    const hits = replays.get(uriOfPolicy(uri, address));
    if (!hits) return [];
    const rules = Object.values(policy.rules).flat();
    const shown = rules.filter(({ range }) => range.end >= part.start && range.start <= part.end);
    return shown.flatMap(rule => hintOf(rule, hits, source));
  });
}

function hintOf({ phase, index, name, range }: Rule, hits: ReplayHits, source: SourceText): readonly InlayHint[] {
  const found = hits.rules.find(one => one.phase === phase && one.index === index && one.name === name?.value);
  if (!found) return [];
  const at = name?.range.end ?? range.start;
  const position = source.positionAt(name ? source.lineRange(source.positionAt(at).line).end : at);
  return [{ position, label: labelOf(found, hits), paddingLeft: true, tooltip: 'in the last replay' }];
}

function labelOf({ matched, undetermined }: RuleHits, { exchanges }: ReplayHits): string {
  const most = undetermined > 0 ? `–${format(matched + undetermined)}` : '';
  return `${format(matched)}${most} of ${format(exchanges)} matched`;
}

function format(count: number): string {
  return count.toLocaleString('en');
}

/** Reads the report of `tollgate replay --format json`; undefined if it is not one. */
export function readHits(report: unknown): ReplayHits | undefined {
  const { exchanges, rules } = (report ?? {}) as Partial<ReplayHits>;
  if (typeof exchanges !== 'number' || !Array.isArray(rules)) return undefined;
  const hits = (rules as readonly RuleHits[]).map(({ phase, index, name, matched, undetermined }) => {
    return { phase, index, name, matched, undetermined };
  });
  return { exchanges, rules: hits };
}

/** Returns the types of the variables that macros bind, and of the expressions inside strings, in a part of a document. */
export function inlayHints({ policies, source }: Snapshot, part: Range): readonly InlayHint[] {
  const hints: InlayHint[] = [];
  const add = ({ text, offset }: { readonly text: MappedText; readonly offset: number }, at: number, type: string) => {
    const { start } = documentRange(text, { start: at + offset, end: at + offset });
    hints.push({
      position: source.positionAt(start),
      label: `: ${type}`,
      kind: InlayHintKind.Type,
      paddingRight: false,
    });
  };
  for (const { policy } of policies)
    for (const rules of Object.values(policy.rules))
      for (const rule of rules) {
        if (rule.range.end < part.start || rule.range.start > part.end) continue;
        for (const { typed, text } of rule.expressions)
          if (typed) addBound(typed, (at, type) => add({ text, offset: 0 }, at, type));
        for (const { expressions } of rule.actions)
          for (const { typed, text, offset, kind, source: written } of expressions) {
            if (!typed) continue;
            addBound(typed, (at, type) => add({ text, offset }, at, type));
            const { kind: type } = typed.resultType;
            if (kind === 'interpolation' && type !== 'string' && type !== 'dyn')
              add({ text, offset }, written.length, formatType(typed.resultType));
          }
      }
  return hints;
}

/** Calls `add` for each variable where a macro binds it. */
function addBound({ ast, types, references }: TypedAst, add: (at: number, type: string) => void): void {
  const typeAt = new Map<string, string>();
  visitWritten(ast, node => {
    if (node.kind !== 'ident' || references[node.id]?.kind !== 'local') return;
    const type = types[node.id];
    if (type) typeAt.set(node.name, formatType(type));
  });
  for (const { function: name, args } of ast.macroCalls.values()) {
    const bound = name === 'has' ? [] : args.slice(0, args.length > 2 ? 2 : 1);
    for (const one of bound) {
      const type = one.kind === 'ident' ? typeAt.get(one.name) : undefined;
      if (type !== undefined) add(one.range.end, type);
    }
  }
}
