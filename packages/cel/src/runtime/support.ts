// All that generated code may name, but for what needs the RE2 engine. A module that a policy was compiled to imports from
// here only what it uses.

export * from './access.ts';
export * from './base64.ts';
export * from './comparison.ts';
export * from './conversion-to-number.ts';
export * from './conversion-to-text.ts';
export { createDispatcher } from './dispatch.ts';
export * from './double.ts';
export * from './duration.ts';
export { inValue } from './dynamic.ts';
export { equals, equalsNumber, notEquals } from './equality.ts';
export { fenceFunction } from './fence-function.ts';
export { fromHost } from './from-host.ts';
export * from './host.ts';
export * from './integer.ts';
export * from './json.ts';
export * from './list.ts';
export * from './lists/lists.ts';
export * from './lists/sets.ts';
export * from './lists/sort.ts';
export * from './map.ts';
export * from './map-insert.ts';
export * from './math/bits.ts';
export * from './math/extremes.ts';
export * from './math/rounding.ts';
export * from './network/address.ts';
export * from './network/range.ts';
export * from './optionals.ts';
export { nonValueIn } from './partial.ts';
export { toTagged, toTyped } from './representation.ts';
export { createRunContext } from './run-context.ts';
export { runtimeTypeOf, typeValueOf } from './runtime-type.ts';
export * from './scalar.ts';
export { made, stepsOf } from './steps.ts';
export * from './strings/edit.ts';
export { formatText } from './strings/format.ts';
export { quoteText } from './strings/quote.ts';
export * from './strings/search.ts';
export * from './text.ts';
export * from './timestamp.ts';
export * from './timestamp-parts.ts';
export {
  CelDouble,
  CelMap,
  CelUint,
  CidrRange,
  Duration,
  EvaluationError,
  IpAddress,
  NonValue,
  Optional,
  Timestamp,
  TypeValue,
  Unknown,
} from './value.ts';
