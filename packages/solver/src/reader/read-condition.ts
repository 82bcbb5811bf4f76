// Reads an expression as a condition. Comparisons, loops, strings and integers have files of their own.

import { CidrRange, compileClosures, type Environment, type Expr, type TypedAst } from '@tollgate/cel';
import {
  childrenOf,
  foldConstants,
  inlineBodies,
  mapChildren,
  parseCidr,
  typeDynamically,
} from '@tollgate/cel/tooling';
import {
  ALWAYS_FAILS,
  ALWAYS_FALSE,
  ALWAYS_TRUE,
  allOf,
  anyOf,
  type Condition,
  choiceOf,
  decided,
  negated,
  provided,
} from '../logic/formula.ts';
import { ADDRESS_LINE, addressesIn } from '../values/int-set.ts';
import { partLanguage, patternLanguage, prefixLanguage, suffixLanguage, wordsLanguage } from '../values/language.ts';
import { inputCell, listCell, opaqueCondition, tested } from './cells.ts';
import { comparisonCondition, constantMembership, varyingMembership } from './comparisons.ts';
import { integerValue } from './integer-value.ts';
import { entryAt, fieldAt, locationOf, presenceOf } from './locations.ts';
import { firstKept, loopCondition } from './loops.ts';
import {
  bindingOf,
  definedValue,
  definitionOf,
  isVolatile,
  operandsOf,
  overloadOf,
  pathOf,
  type Reader,
  type ReadingContext,
  resolved,
  stringConstant,
  typeOf,
} from './reader-context.ts';
import { stringValue } from './string-value.ts';
import { varyingPart } from './varying-comparison.ts';

/** Reads a checked expression. What is not understood becomes a truth value of its own, which may also fail. */
export function readCondition(typed: TypedAst, environment: Environment, context: ReadingContext): Condition {
  const folded = foldConstants(inlineBodies(typed, environment), environment);
  return translate(
    {
      ...context,
      environment,
      typed: folded,
      bindings: new Map(),
      repeats: 1,
      translate,
      integerValue,
      firstKept,
      constantValue: (reader, expr) => (isConstant(reader, expr) ? constantValue(reader, expr) : undefined),
    },
    folded.ast.root,
  );
}

function translate(reader: Reader, expr: Expr): Condition {
  const own = resolved(reader, expr);
  switch (own.kind) {
    case 'literal':
      if (own.literal.type !== 'bool') return ALWAYS_FAILS;
      return own.literal.value ? ALWAYS_TRUE : ALWAYS_FALSE;
    case 'call':
      return logicCondition(reader, own) ?? interpreted(reader, own, testCondition);
    case 'comprehension':
      return interpreted(reader, own, loopCondition);
    case 'select':
      return interpreted(reader, own, selectCondition);
    default:
      return inputCondition(reader, own) ?? opaqueCondition(reader, own);
  }
}

function selectCondition(reader: Reader, expr: Extract<Expr, { kind: 'select' }>): Condition | undefined {
  return presenceCondition(reader, expr) ?? inputCondition(reader, expr);
}

function interpreted<T extends Expr>(
  reader: Reader,
  expr: T,
  read: (reader: Reader, expr: T) => Condition | undefined,
): Condition {
  return isConstant(reader, expr)
    ? constantCondition(reader, expr)
    : (read(reader, expr) ?? opaqueCondition(reader, expr));
}

type Call = Extract<Expr, { kind: 'call' }>;

function logicCondition(reader: Reader, { function: name, args }: Call): Condition | undefined {
  const { graph } = reader.vocabulary;
  const operands = () => args.map(arg => translate(reader, arg));
  switch (name) {
    case '_&&_':
      return allOf(graph, operands());
    case '_||_':
      return anyOf(graph, operands());
    case '!_':
      return negated(operands()[0]!);
    case '_?_:_': {
      const [condition, yes, no] = operands();
      return choiceOf(graph, condition!, yes!, no!);
    }
    default:
      return undefined;
  }
}

function testCondition(reader: Reader, call: Call): Condition | undefined {
  if (call.function === '@in') {
    return membershipCondition(reader, call.args[0]!, call.args[1]!) ?? varyingMembership(reader, call);
  }
  return (
    comparisonCondition(reader, call) ??
    stringCondition(reader, call) ??
    varyingPart(reader, call) ??
    addressCondition(reader, call) ??
    inputCondition(reader, call)
  );
}

function membershipCondition(reader: Reader, element: Expr, container: Expr): Condition | undefined {
  const constant = constantMembership(reader, element, container);
  if (constant !== undefined) return constant;
  const text = stringConstant(reader, element);
  if (text === undefined) return undefined;
  if (typeOf(reader, container) === 'map') return keyCondition(reader, resolved(reader, container), text);
  return elementCondition(reader, container, text);
}

/** Tests whether a map has a key. */
function keyCondition(reader: Reader, map: Expr, key: string): Condition | undefined {
  const owner = locationOf(reader, map);
  const entry = owner && entryAt(reader, owner, key);
  return entry && provided(reader.vocabulary.graph, owner.requires, decided(entry.isPresent));
}

function elementCondition(reader: Reader, list: Expr, text: string): Condition | undefined {
  const own = resolved(reader, list);
  const { vocabulary } = reader;
  if (own.kind === 'call' && own.function === '_?_:_') {
    const [yes, no] = own.args.slice(1).map(arg => elementCondition(reader, arg, text));
    return yes && no && choiceOf(vocabulary.graph, translate(reader, own.args[0]!), yes, no);
  }
  if (own.kind === 'list' && own.elements.length === 0) return ALWAYS_FALSE;
  const definition = definitionOf(reader, own);
  if (definition?.kind === 'members') {
    const found = definition.members.filter(member => member.text === text);
    return decided(vocabulary.graph.or(found.map(member => member.when)));
  }
  const found = listCell(reader, own);
  if (found === undefined) return undefined;
  const language = wordsLanguage(vocabulary.language.bind(vocabulary), [text]);
  const some = vocabulary.atom({ kind: 'some', cell: found.cell, language });
  return tested(reader, found, some);
}

/** `has(map.key)` and `has(object.field)`. */
function presenceCondition(reader: Reader, expr: Extract<Expr, { kind: 'select' }>): Condition | undefined {
  const { operand, field, testOnly } = expr;
  if (!testOnly) return undefined;
  if (typeOf(reader, operand) === 'map') return keyCondition(reader, resolved(reader, operand), field);
  const path = pathOf(reader, operand);
  const fact = path === undefined ? undefined : reader.facts.get(`${path}.${field}`);
  if (fact !== undefined) return decided(presenceOf(reader, fact.path.split('.'), fact));
  const owner = locationOf(reader, operand);
  const member = owner && fieldAt(reader, owner, field);
  return member && provided(reader.vocabulary.graph, owner.requires, decided(member.isPresent));
}

/** An input that is a bool. */
function inputCondition(reader: Reader, expr: Expr): Condition | undefined {
  if (typeOf(reader, expr) !== 'bool') return undefined;
  const value = definedValue(reader, expr);
  if (value !== undefined) return value === true ? ALWAYS_TRUE : ALWAYS_FALSE;
  const found = inputCell(reader, expr, 'free');
  return found && tested(reader, found, reader.vocabulary.atom({ kind: 'free', cell: found.cell }));
}

const LITERAL_TESTS = {
  starts_with_string: prefixLanguage,
  ends_with_string: suffixLanguage,
  contains_string: partLanguage,
  matches: patternLanguage,
  matches_string: patternLanguage,
} as const;

function stringCondition(reader: Reader, call: Call): Condition | undefined {
  const overload = overloadOf(reader, call) ?? '';
  if (!isLiteralTest(overload)) return undefined;
  const [operand, sought] = operandsOf(reader, call);
  const text = stringConstant(reader, sought!);
  const value = text === undefined ? undefined : stringValue(reader, operand!);
  if (text === undefined || value === undefined) return undefined;
  const { vocabulary } = reader;
  const language = LITERAL_TESTS[overload](vocabulary.language.bind(vocabulary), text);
  return language && value.isIn(language);
}

function isLiteralTest(overload: string): overload is keyof typeof LITERAL_TESTS {
  return Object.hasOwn(LITERAL_TESTS, overload);
}

function addressCondition(reader: Reader, call: Call): Condition | undefined {
  const operands = operandsOf(reader, call);
  switch (overloadOf(reader, call)) {
    case 'is_ip':
      return stringValue(reader, operands[0]!)?.isAddress?.([[0n, ADDRESS_LINE[1]]]);
    case 'is_cidr': {
      const text = stringConstant(reader, operands[0]!);
      if (text === undefined) return undefined;
      return parseCidr(text) === undefined ? ALWAYS_FALSE : ALWAYS_TRUE;
    }
    case 'cidr_contains_ip_string':
      return containment(reader, operands[0]!, operands[1]!);
    case 'cidr_contains_ip_ip': {
      const address = resolved(reader, operands[1]!);
      const isConversion = address.kind === 'call' && overloadOf(reader, address) === 'string_to_ip';
      return isConversion ? containment(reader, operands[0]!, operandsOf(reader, address)[0]!) : undefined;
    }
    default:
      return undefined;
  }
}

/** Fails for strings that are not addresses. */
function containment(reader: Reader, range: Expr, address: Expr): Condition | undefined {
  const cidr = rangeOf(reader, resolved(reader, range));
  const test = stringValue(reader, address)?.isAddress;
  if (cidr === undefined || test === undefined) return undefined;
  const isValid = test([[0n, ADDRESS_LINE[1]]]).whenTrue;
  return provided(reader.vocabulary.graph, isValid, test([addressesIn(cidr)]));
}

function rangeOf(reader: Reader, expr: Expr): CidrRange | undefined {
  const constant = reader.typed.constants.get(expr.id);
  if (constant instanceof CidrRange) return constant;
  if (expr.kind !== 'call' || overloadOf(reader, expr) !== 'string_to_cidr') return undefined;
  const text = stringConstant(reader, operandsOf(reader, expr)[0]!);
  return text === undefined ? undefined : parseCidr(text);
}

/** Returns true if an expression reads no input and is not volatile. */
function isConstant(reader: Reader, expr: Expr): boolean {
  const own = resolved(reader, expr);
  const reference = reader.typed.references[own.id];
  if (reference?.kind === 'variable' || own.kind === 'error') return false;
  if (own.kind !== 'call') {
    return bindingOf(reader, own) === undefined && childrenOf(own).every(child => isConstant(reader, child));
  }
  if (reference?.kind !== 'function' || isVolatile(reader, own)) return false;
  return operandsOf(reader, own).every(operand => isConstant(reader, operand));
}

/** Evaluates a condition that reads no input. */
function constantCondition(reader: Reader, expr: Expr): Condition {
  const value = constantValue(reader, expr);
  if (typeof value !== 'boolean') return ALWAYS_FAILS;
  return value ? ALWAYS_TRUE : ALWAYS_FALSE;
}

/** Returns the value of an expression that reads no input; an error if it fails. */
function constantValue(reader: Reader, expr: Expr): unknown {
  let nextId = 1;
  // The expression of a local name may be copied to several places, and ids must be unique.
  const copy = (node: Expr): Expr => ({ ...mapChildren(resolved(reader, node), copy), id: nextId++ });
  const root = copy(expr);
  const { environment } = reader;
  const typed = typeDynamically({ source: '', root, nextId, macroCalls: new Map() }, environment);
  return compileClosures(typed, environment).evaluate({});
}
