// What generated code calls: the entry `@tollgate/cel/runtime`, without parser, checker and compiler. An emitted module imports only what it
// uses. What needs the RE2 engine is in `regex-support.ts`.

export * from '../values/numbers.ts';
export * from '../values/time.ts';
export * from '../values/value.ts';
export * from './collections.ts';
export { chargeResult, createRunContext, stepsOf } from './context.ts';
export * from './conversion.ts';
export { createDispatcher } from './dispatch.ts';
export { equals, equalsNumber, notEquals } from './equality.ts';
export { formatString } from './format.ts';
export * from './host.ts';
export * from './host-access.ts';
export * from './json.ts';
export { matchesRegExp } from './matches-regexp.ts';
export * from './math.ts';
export * from './network.ts';
export * from './strings.ts';
