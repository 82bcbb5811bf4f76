import type { CallExpr } from '../../ast/ast.ts';
import { readsWhole } from '../../lowering/call-steps.ts';
import { type CompiledPattern, compileMatcher } from '../../regex/compile-matcher.ts';
import { STRING } from '../../types/type.ts';
import { EvaluationError } from '../../values/value.ts';
import { chargeOperand } from '../scope/context-code.ts';
import {
  branch,
  type Decision,
  type Exits,
  emit,
  type Generation,
  operandsOf,
  overloadsOf,
  staticType,
} from '../scope/generation.ts';
import { constant, errorConstant, runtimeName } from '../scope/module-scope.ts';
import { adapt } from '../scope/representation-code.ts';
import { stringCode } from '../scope/source-text.ts';

/** JavaScript methods for overloads with the same meaning for all strings. */
const METHODS: Readonly<Record<string, string>> = {
  contains_string: 'includes',
  starts_with_string: 'startsWith',
  ends_with_string: 'endsWith',
};

const PATTERN_OVERLOADS: ReadonlySet<string> = new Set(['matches', 'matches_string']);

/** Emits tests of a string. */
export function stringDecision(g: Generation, call: CallExpr): Decision | undefined {
  const overloads = overloadsOf(g, call);
  const id = overloads.length === 1 ? (overloads[0]?.id ?? '') : '';
  const method = METHODS[id];
  if (method !== undefined) return exits => methodCondition(g, call, method, exits);
  const pattern = operandsOf(g, call)[1];
  if (!PATTERN_OVERLOADS.has(id) || pattern?.kind !== 'literal' || pattern.literal.type !== 'string') return undefined;
  const compiled = compileMatcher(pattern.literal.value, g.env.limits, g.env.patternEngine);
  return exits => patternCondition(g, call, compiled, exits);
}

function methodCondition(g: Generation, call: CallExpr, method: string, exits: Exits): void {
  const [text, part] = textsOf(g, call, exits);
  branch(g, `${text}.${method}(${part})`, exits);
}

/** Emits the fastest test that is equivalent to a constant pattern. */
function patternCondition(
  g: Generation,
  call: CallExpr,
  compiled: CompiledPattern | EvaluationError,
  exits: Exits,
): void {
  const [text = '', pattern = ''] = textsOf(g, call, exits);
  if (compiled instanceof EvaluationError) {
    emit(g, `{${exits.fail(errorConstant(g.scope, compiled.code, compiled.message, call.id))}}\n`);
  } else branch(g, patternTest(g, compiled, { text, pattern }), exits);
}

function patternTest(
  g: Generation,
  compiled: CompiledPattern,
  { text, pattern }: { text: string; pattern: string },
): string {
  switch (compiled.kind) {
    case 'literal':
      return `${text}.includes(${stringCode(compiled.text)})`;
    case 'prefix':
      return `${text}.startsWith(${stringCode(compiled.text)})`;
    case 'suffix':
      return `${text}.endsWith(${stringCode(compiled.text)})`;
    case 'equals':
      return `${text}===${stringCode(compiled.text)}`;
    case 'regexp': {
      const { source, flags } = compiled.regexp;
      return `${constant(g.scope, `new RegExp(${stringCode(source)},${stringCode(flags)})`)}.test(${text})`;
    }
    case 're2':
      return `${constant(g.scope, `${runtimeName(g.scope, 'compileRe2')}(${pattern})`)}.test(${text})`;
  }
}

function textsOf(g: Generation, call: CallExpr, exits: Exits): readonly string[] {
  return operandsOf(g, call).map((node, index) => {
    const change = { from: staticType(g, node), to: STRING, exprId: call.id };
    const js = adapt(g, g.value(g, node, exits.fail), change, exits.fail);
    if (readsWhole(overloadsOf(g, call), index)) chargeOperand(g, { node, js, type: STRING });
    return js;
  });
}
