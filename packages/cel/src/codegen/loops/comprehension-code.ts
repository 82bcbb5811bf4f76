import type { CallExpr, ComprehensionExpr, Expr } from '../../ast/ast.ts';
import {
  type Decision,
  type Exits,
  emit,
  type Fail,
  fresh,
  type Generation,
  localKey,
  staticType,
} from '../scope/generation.ts';
import { errorConstant, runtimeName } from '../scope/module-scope.ts';
import { loopingDecision, loopingValue } from '../scope/nesting.ts';
import { adapt, tagged } from '../scope/representation-code.ts';
import { type FoldShape, foldShapeOf } from './fold-shape.ts';
import { openLoop } from './loop-code.ts';

/** Emits a comprehension whose result is a bool: a quantifier, or a binding in a condition. */
export function comprehensionDecision(g: Generation, node: ComprehensionExpr): Decision | undefined {
  const shape = foldShapeOf(node);
  switch (shape.kind) {
    case 'all':
    case 'exists':
      return exits => {
        const quantifier = { predicate: shape.predicate, conjunction: shape.kind === 'all' };
        loopingDecision(g, inner => quantify(g, node, quantifier, inner), exits);
      };
    case 'one':
      return exits => loopingDecision(g, inner => exactlyOne(g, node, shape.predicate, inner), exits);
    case 'bind':
      if (staticType(g, node).kind !== 'bool') return undefined;
      return exits => {
        bindName(g, { scope: node.id, name: node.accuVar, value: node.accuInit });
        g.condition(g, node.result, exits, node.id);
      };
    default:
      return undefined;
  }
}

/** Emits a comprehension that is not a decision. */
export function comprehensionValue(g: Generation, node: ComprehensionExpr, fail: Fail): string {
  const shape = foldShapeOf(node);
  if (shape.kind !== 'bind')
    return loopingValue(g, staticType(g, node), leave => loopValue(g, node, shape, leave), fail);
  bindName(g, { scope: node.id, name: node.accuVar, value: node.accuInit });
  return resultValue(g, node, fail);
}

function loopValue(g: Generation, node: ComprehensionExpr, shape: FoldShape, fail: Fail): string {
  switch (shape.kind) {
    case 'list': {
      const add = (made: string) => pushElement(g, shape.element, made, fail);
      return collect(g, node, { filter: shape.filter, made: '[]', add }, fail);
    }
    case 'map': {
      const made = `new ${runtimeName(g.scope, 'CelMap')}`;
      const add = (map: string) => insertEntry(g, shape.insertion, map, fail);
      return collect(g, node, { filter: shape.filter, made, add }, fail);
    }
    default:
      return fold(g, node, fail);
  }
}

function resultValue(g: Generation, node: ComprehensionExpr, fail: Fail): string {
  const value = g.value(g, node.result, fail);
  return adapt(g, value, { from: staticType(g, node.result), to: staticType(g, node), exprId: node.id }, fail);
}

interface Binding {
  readonly scope: number;
  readonly name: string;
  readonly value: Expr;
}

/** A bound expression is evaluated first, but its error counts only where the name is read. */
export function bindName(g: Generation, { scope, name, value }: Binding): void {
  const type = staticType(g, value);
  if (value.kind === 'literal') {
    g.locals.set(localKey(scope, name), { js: g.value(g, value, () => ''), type, guarded: false });
    return;
  }
  const js = fresh(g, 'b');
  const done = fresh(g, 'L');
  emit(g, `let ${js};${done}:{`);
  const bound = g.value(g, value, nonValue => `${js}=${nonValue};break ${done};`);
  emit(g, `${js}=${bound};}\n`);
  g.locals.set(localKey(scope, name), { js, type, guarded: true });
}

interface Quantifier {
  readonly predicate: Expr;
  readonly conjunction: boolean;
}

/** As for `&&` and `||`, errors and unknowns are kept and count only if no element decides. */
function quantify(g: Generation, node: ComprehensionExpr, { predicate, conjunction }: Quantifier, exits: Exits): void {
  const pending = fresh(g, 'p');
  const done = fresh(g, 'L');
  const next = fresh(g, 'L');
  const decided = (conjunction ? exits.whenFalse : exits.whenTrue) || `break ${done};`;
  const undecided = conjunction ? exits.whenTrue : exits.whenFalse;
  emit(g, `${done}:{let ${pending};\n`);
  openLoop(g, node, exits.fail);
  const keep = (nonValue: string) =>
    `${pending}=${runtimeName(g.scope, 'combineUndecided')}(${pending},${nonValue});break ${next};`;
  emit(g, `${next}:{`);
  const inner = { whenTrue: conjunction ? '' : decided, whenFalse: conjunction ? decided : '', fail: keep };
  g.condition(g, predicate, inner, node.loopStep.id);
  emit(g, `}}\nif(${pending}!==undefined){${exits.fail(pending)}}${undecided}}\n`);
}

function exactlyOne(g: Generation, node: ComprehensionExpr, predicate: Expr, exits: Exits): void {
  const count = fresh(g, 'v');
  const next = fresh(g, 'L');
  emit(g, `let ${count}=0;`);
  openLoop(g, node, exits.fail);
  emit(g, `${next}:{`);
  g.condition(
    g,
    predicate,
    { whenTrue: `${count}++;break ${next};`, whenFalse: '', fail: exits.fail },
    node.loopStep.id,
  );
  emit(g, '}}\n');
  const test = `${count}===1`;
  emit(g, `if(${test}){${exits.whenTrue}}else{${exits.whenFalse}}\n`);
}

interface Collection {
  readonly filter: Expr | undefined;
  /** The source of an empty list or map. */
  readonly made: string;
  /** Emits code that adds the result of one iteration. */
  readonly add: (made: string) => void;
}

function collect(g: Generation, node: ComprehensionExpr, { filter, made, add }: Collection, fail: Fail): string {
  const name = fresh(g, 'v');
  const next = fresh(g, 'L');
  emit(g, `const ${name}=${made};`);
  openLoop(g, node, fail);
  emit(g, `${next}:{`);
  if (filter !== undefined) {
    g.condition(g, filter, { whenTrue: '', whenFalse: `break ${next};`, fail }, node.loopStep.id);
  }
  add(name);
  checkSize(g, node, { name, count: made === '[]' ? 'length' : 'size' }, fail);
  emit(g, '}}\n');
  return name;
}

/** A result never has more elements than the loop has iterations, so most limits need no test of their own. */
function checkSize(g: Generation, node: Expr, { name, count }: { name: string; count: string }, fail: Fail): void {
  const { maxCollectionSize, maxSteps } = g.env.limits;
  if (maxCollectionSize >= maxSteps) return;
  const message = 'the list or map is larger than the limit `maxCollectionSize`';
  const error = errorConstant(g.scope, 'limit/collection-size', message, node.id);
  emit(g, `if(${name}.${count}>${maxCollectionSize}){${fail(error)}}\n`);
}

function pushElement(g: Generation, element: Expr, list: string, fail: Fail): void {
  const value = g.value(g, element, fail);
  emit(g, `${list}.push(${tagged(g, value, staticType(g, element))});`);
}

function insertEntry(g: Generation, call: CallExpr, map: string, fail: Fail): void {
  const [, key, value] = call.args as readonly [Expr, Expr, Expr | undefined];
  const keyCode = tagged(g, g.value(g, key, fail), staticType(g, key));
  const error = fresh(g, 'v');
  const located = `${runtimeName(g.scope, 'locate')}(${error},${call.id})`;
  const put =
    value === undefined
      ? `${runtimeName(g.scope, 'putEntries')}(${map},${keyCode})`
      : `${runtimeName(g.scope, 'putEntry')}(${map},${keyCode},${tagged(g, g.value(g, value, fail), staticType(g, value))})`;
  emit(g, `const ${error}=${put};if(${error}!==undefined){${fail(located)}}\n`);
}

/** Emits any other comprehension, step by step. */
function fold(g: Generation, node: ComprehensionExpr, fail: Fail): string {
  const type = staticType(g, node.accuInit);
  const accu = fresh(g, 'v');
  const done = fresh(g, 'L');
  // The condition may test whether the accumulator is a value at all.
  const guarded = node.loopCondition.kind === 'call' && node.loopCondition.function === '@not_strictly_false';
  const keep: Fail = guarded ? nonValue => `${accu}=${nonValue};break ${accu}s;` : fail;
  emit(g, `let ${accu};${accu}s:{`);
  const initial = g.value(g, node.accuInit, keep);
  emit(g, `${accu}=${initial};}\n${done}:{`);
  g.locals.set(localKey(node.id, node.accuVar), { js: accu, type, guarded });
  openLoop(g, node, fail);
  g.condition(g, node.loopCondition, { whenTrue: '', whenFalse: `break ${done};`, fail }, node.id);
  emit(g, `${accu}s:{`);
  const step = g.value(g, node.loopStep, keep);
  const adapted = adapt(g, step, { from: staticType(g, node.loopStep), to: type, exprId: node.loopStep.id }, keep);
  emit(g, `${accu}=${adapted};}}}\n`);
  return resultValue(g, node, fail);
}
