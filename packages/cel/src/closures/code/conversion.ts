import { toTagged, toTyped } from '../../runtime/host/representation.ts';
import { admitsNull } from '../../types/nullable.ts';
import type { Type } from '../../types/type.ts';
import { NO_MATCHING_OVERLOAD } from '../../values/errors.ts';
import { NonValue, type Value } from '../../values/value.ts';
import { type Code, errorAt, locator, type Outcome } from './code.ts';

/** The static types between which code is converted, and the expression that fails when the value does not fit. */
export interface Conversion {
  readonly from: Type;
  readonly to: Type;
  readonly exprId: number;
}

/** Makes code that gives a value of static type `from` give it in the representation of `to`. Most often the code itself. */
export function convertCode(code: Code, { from, to, exprId }: Conversion): Code {
  const convert = converterOf(from, to);
  if (convert === undefined) return code;
  const locate = locator(exprId);
  return (activation, locals) => {
    const outcome = code(activation, locals);
    if (outcome instanceof NonValue) return outcome;
    const converted = convert(outcome);
    return converted instanceof NonValue ? locate(converted) : converted;
  };
}

/**
 * As {@link convertCode}, for what a function of result type `from` gives: its lists and maps hold elements in either form
 * already, and are not searched for others.
 */
export function convertResult(code: Code, conversion: Conversion): Code {
  const { from, to } = conversion;
  return isTagged(from) || isTagged(to) || from.kind !== to.kind ? convertCode(code, conversion) : code;
}

/** Code for a parameter that the checker lets null stand for: functions do not take null. */
export function rejectNull(code: Code, param: Type, exprId: number): Code {
  if (!admitsNull(param)) return code;
  const rejected = errorAt(exprId, NO_MATCHING_OVERLOAD.code, NO_MATCHING_OVERLOAD.message);
  return (activation, locals) => code(activation, locals) ?? rejected;
}

type Converter = (value: never) => Outcome;

/** Undefined when the two look the same. */
export function converterOf(from: Type, to: Type): ((value: Outcome) => Outcome) | undefined {
  return chooseConverter(from, to) as ((value: Outcome) => Outcome) | undefined;
}

function chooseConverter(from: Type, to: Type): Converter | undefined {
  if (from === to) return undefined;
  if (isTagged(to)) return isTagged(from) ? narrowing(from, to) : toTagged(from);
  if (isTagged(from)) return toTyped(to);
  if (from.kind !== to.kind) return mismatch(from, to);
  if (holdsTagged(to)) return toTagged(from);
  return holdsTagged(from) ? toTyped(to) : undefined;
}

/** Only unchecked expressions, and null where the checker lets it stand for something else, come here. */
function mismatch(from: Type, to: Type): Converter {
  const tag = toTagged(from) ?? (value => value);
  const untag = toTyped(to) ?? (value => value);
  return (value: Value) => untag(tag(value));
}

/** From dyn to a nullable scalar: both are tagged, but not every value fits. */
function narrowing(from: Type, to: Type): Converter | undefined {
  return to.kind === 'wrapper' && from.kind !== 'wrapper' ? toTyped(to) : undefined;
}

/** Whether values of the static type are in the tagged representation. */
export function isTagged(type: Type): boolean {
  return type.kind === 'dyn' || type.kind === 'param' || type.kind === 'wrapper' || type.kind === 'error';
}

function holdsTagged(type: Type): boolean {
  switch (type.kind) {
    case 'list':
      return isTagged(type.element) || holdsTagged(type.element);
    case 'map':
      return isTagged(type.key) || isTagged(type.value) || holdsTagged(type.value);
    case 'optional':
      return isTagged(type.value) || holdsTagged(type.value);
    default:
      return false;
  }
}
