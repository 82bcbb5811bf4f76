// All that generated code may call, except what needs the RE2 engine. A compiled module imports only what it uses.

export * from '../values/combine-undecided.ts';
export * from '../values/comparison.ts';
export * from '../values/double.ts';
export * from '../values/duration.ts';
export * from '../values/integer.ts';
export { runtimeTypeOf, typeValueOf } from '../values/runtime-type.ts';
export * from '../values/scalar.ts';
export * from '../values/timestamp.ts';
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
} from '../values/value.ts';
export { inValue } from './collections/dynamic.ts';
export { equals, equalsNumber, notEquals } from './collections/equality.ts';
export * from './collections/list.ts';
export * from './collections/lists.ts';
export * from './collections/map-insert.ts';
export * from './collections/optionals.ts';
export * from './collections/sets.ts';
export * from './collections/sort.ts';
export { createRunContext } from './context/run-context.ts';
export { chargeResult, stepsOf } from './context/steps.ts';
export * from './conversion/timestamp-parts.ts';
export * from './conversion/to-number.ts';
export * from './conversion/to-string.ts';
export { createDispatcher } from './dispatch.ts';
export * from './encodings/base64.ts';
export * from './encodings/json.ts';
export { fenceFunction } from './fence-function.ts';
export * from './host/access.ts';
export { fromHost } from './host/from-host.ts';
export * from './host/host.ts';
export * from './host/map.ts';
export { nonValueIn } from './host/partial.ts';
export { toTagged, toTyped } from './host/representation.ts';
export { matchesRegExp } from './matching/matches-regexp.ts';
export * from './math/bits.ts';
export * from './math/extremes.ts';
export * from './math/rounding.ts';
export * from './network/address.ts';
export * from './network/range.ts';
export * from './strings/edit.ts';
export { formatString } from './strings/format.ts';
export { quoteString } from './strings/quote.ts';
export * from './strings/search.ts';
export * from './strings/string-functions.ts';
