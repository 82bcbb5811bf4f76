export type { Diagnostic, DiagnosticArgs, Fix, RelatedPlace, Severity, TextEdit } from './diagnostic.ts';
export { InternalError, unreachable } from './internal-error.ts';
export type { Position, Range } from './range.ts';
export { WorldError } from './world-error.ts';
