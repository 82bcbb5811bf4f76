import { toTagged, toTyped } from '../../runtime/host/representation.ts';
import { isOpen } from '../../types/structure.ts';
import type { Type } from '../../types/type.ts';
import { NonValue, type Value } from '../../values/value.ts';
import { type Code, locator, type Outcome } from './code.ts';

/** The static types to convert between, and the expression that fails if the value does not fit. */
interface Conversion {
  readonly from: Type;
  readonly to: Type;
  readonly exprId: number;
}

/** Returns code that converts values from the representation of `from` to that of `to`; most often the code itself. */
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

/** Like {@link convertCode}, for the result of a function: its lists and maps already hold elements in either form and are not searched. */
export function convertResult(code: Code, conversion: Conversion): Code {
  const { from, to } = conversion;
  return isOpen(from) || isOpen(to) || from.kind !== to.kind ? convertCode(code, conversion) : code;
}

type Converter = (value: never) => Outcome;

/** Undefined if both types have the same representation. */
function converterOf(from: Type, to: Type): ((value: Outcome) => Outcome) | undefined {
  return chooseConverter(from, to) as ((value: Outcome) => Outcome) | undefined;
}

function chooseConverter(from: Type, to: Type): Converter | undefined {
  if (from === to) return undefined;
  if (isOpen(to)) return isOpen(from) ? narrowing(from, to) : toTagged(from);
  if (isOpen(from)) return toTyped(to);
  if (from.kind !== to.kind) return mismatch(from, to);
  if (holdsTagged(to)) return toTagged(from);
  return holdsTagged(from) ? toTyped(to) : undefined;
}

/** Reached only by unchecked expressions, and by null where the checker accepts it for another type. */
function mismatch(from: Type, to: Type): Converter {
  const tag = toTagged(from) ?? (value => value);
  const untag = toTyped(to) ?? (value => value);
  return (value: Value) => untag(tag(value));
}

/** Converts dyn to a nullable scalar: both are tagged, but not every value fits. */
function narrowing(from: Type, to: Type): Converter | undefined {
  return to.kind === 'wrapper' && from.kind !== 'wrapper' ? toTyped(to) : undefined;
}

function holdsTagged(type: Type): boolean {
  switch (type.kind) {
    case 'list':
      return isOpen(type.element) || holdsTagged(type.element);
    case 'map':
      return isOpen(type.key) || isOpen(type.value) || holdsTagged(type.value);
    case 'optional':
      return isOpen(type.value) || holdsTagged(type.value);
    default:
      return false;
  }
}
