import { formatType, type TypedAst } from '@tollgate/cel';
import type { Range } from '@tollgate/diagnostics';
import { documentRange, type MappedText } from '@tollgate/policy';
import { type InlayHint, InlayHintKind } from 'vscode-languageserver-types';
import { visitWritten } from '../cel/nodes.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

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
