import type { Environment, Overload } from '@tollgate/cel';
import { MarkupKind, type SignatureHelp } from 'vscode-languageserver-types';
import { shapeAt, shapedDocument } from '../cursor/document-shape.ts';
import { type ExpressionBefore, expressionBefore } from '../cursor/expression-place.ts';
import { localsOf, type OpenCall, readPartial, typeOf } from '../cursor/partial-expression.ts';
import { contextAt } from '../cursor/position-context.ts';
import { namesOf, signatureText } from '../features/describe.ts';
import type { Snapshot } from '../snapshot.ts';
import { accepts } from './complete-expression.ts';

/** Returns the signatures of the call around an offset. */
export function signatureHelp(snapshot: Snapshot, offset: number): SignatureHelp | undefined {
  const document = shapedDocument(snapshot, offset);
  const context = contextAt(snapshot.source.text, offset);
  const shape = document && shapeAt(context, document);
  const before = shape && expressionBefore(snapshot, offset, { context, shape, target: document.target });
  if (!before) return undefined;
  const { calls } = readPartial(before.source);
  const call = calls.at(-1);
  return call && (ofFunction(call, calls, before) ?? ofMacro(call, before.environment));
}

function ofFunction(call: OpenCall, calls: readonly OpenCall[], before: ExpressionBefore): SignatureHelp | undefined {
  const { environment, profile, variables } = before;
  const qualified =
    call.receiver === undefined ? undefined : environment.functions.get(`${call.receiver}.${call.name}`);
  const decl = qualified ?? environment.functions.get(call.name);
  if (!decl) return undefined;
  const isMember = call.receiver !== undefined && !qualified;
  const locals = [...variables, ...localsOf(calls.slice(0, -1), environment)];
  const receiver = isMember ? typeOf(call.receiver!, environment, locals) : undefined;
  const isDual = receiver?.kind === 'object' && environment.objects.get(receiver.name)?.stringKey !== undefined;
  const type = isDual ? ({ kind: 'string' } as const) : receiver;
  const overloads = decl.overloads.filter(one => one.member === isMember && (!type || accepts(one.params[0], type)));
  if (overloads.length === 0) return undefined;
  const active = call.args.length - 1;
  const fits = overloads.findIndex(one => countOf(one) > active);
  return {
    signatures: overloads.map(one => {
      const { label, parameters } = signatureText(decl.name, one, namesOf(one, profile.functions));
      const example = one.examples?.[0];
      const shown = example ? `${decl.doc}\n\nExample: \`${example.expression}\` is \`${example.value}\`` : decl.doc;
      return {
        label,
        documentation: { kind: MarkupKind.Markdown, value: shown },
        parameters: parameters.map(([start, end]) => ({ label: [start, end] })),
      };
    }),
    activeSignature: Math.max(fits, 0),
    activeParameter: active,
  };
}

function countOf({ member, params }: Overload): number {
  return params.length - (member ? 1 : 0);
}

/** The arguments of macros by name; the first of a loop is the variable that it binds. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  has: ['field'],
  all: ['variable', 'condition'],
  exists: ['variable', 'condition'],
  exists_one: ['variable', 'condition'],
  filter: ['variable', 'condition'],
  map: ['variable', 'value'],
  bind: ['variable', 'value', 'expression'],
};

function ofMacro({ name, args }: OpenCall, environment: Environment): SignatureHelp | undefined {
  const macro = [...environment.macros.values()].find(one => one.name === name);
  const parameters = ARGUMENTS[name];
  if (!macro || !parameters) return undefined;
  const label = `${name}(${parameters.join(', ')})`;
  const documentation = { kind: MarkupKind.Markdown, value: macro.doc };
  return {
    signatures: [{ label, documentation, parameters: parameters.map(one => ({ label: one })) }],
    activeSignature: 0,
    activeParameter: args.length - 1,
  };
}
