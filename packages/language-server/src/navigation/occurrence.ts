import type { Range } from '@tollgate/diagnostics';

/** What a name stands for. */
type SymbolKind =
  | 'rule'
  | 'test'
  | 'variable'
  | 'local'
  | 'input'
  | 'function'
  | 'action'
  | 'group'
  | 'file'
  | 'lint-rule';

/** A place where something is named. */
export interface Occurrence {
  readonly kind: SymbolKind;
  /** Equal for all occurrences of the same thing, in any document. */
  readonly key: string;
  /** Without quotes. */
  readonly range: Range;
  readonly isDefinition: boolean;
  /** The name as it is meant, without quotes and escapes. */
  readonly name: string;
}

/** Kinds of things that can be renamed. */
export const RENAMEABLE: ReadonlySet<SymbolKind> = new Set(['rule', 'test', 'variable', 'local']);
