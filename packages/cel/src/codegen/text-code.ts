import type { CallExpr } from '../syntax/ast.ts';
import { STRING } from '../types/type.ts';
import {
  branch,
  type Decision,
  type Exits,
  type Generation,
  operandsOf,
  overloadsOf,
  staticType,
} from './generation.ts';
import { adapt } from './representation-code.ts';

/** JavaScript's own method for an overload; the two agree on all texts. */
const METHODS: Readonly<Record<string, string>> = {
  contains_string: 'includes',
  starts_with_string: 'startsWith',
  ends_with_string: 'endsWith',
};

/** Tests of a text. */
export function textDecision(g: Generation, call: CallExpr): Decision | undefined {
  const overloads = overloadsOf(g, call);
  const method = overloads.length === 1 ? METHODS[overloads[0]?.id ?? ''] : undefined;
  if (method === undefined) return undefined;
  return exits => {
    const [text, part] = textsOf(g, call, exits);
    branch(g, `${text}.${method}(${part})`, exits);
  };
}

function textsOf(g: Generation, call: CallExpr, exits: Exits): readonly string[] {
  return operandsOf(g, call).map(node => {
    const change = { from: staticType(g, node), to: STRING, exprId: call.id };
    return adapt(g, g.value(g, node, exits.fail), change, exits.fail);
  });
}
