import type { Range } from '@tollgate/diagnostics';
import type { EmbeddedSnapshot } from '../snapshot/snapshot.ts';

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
  /** Occurrences with a common key stand for the same thing, in any document. */
  readonly keys: readonly string[];
  /** Without quotes. */
  readonly range: Range;
  readonly isDefinition: boolean;
  /** The name as it is meant, without quotes and escapes. */
  readonly name: string;
  /** The file that it names, or that has the rule that it names. */
  readonly file?: NamedFile;
  /** The policy in a string of the document that it is in, and its range there. */
  readonly inside?: { readonly policy: EmbeddedSnapshot; readonly range: Range };
}

/** A file, or a policy in it. */
export interface NamedFile {
  readonly path: string;
  /** What follows `#`. */
  readonly address: string | undefined;
}

/** Kinds of things that can be renamed. */
export const RENAMEABLE: ReadonlySet<SymbolKind> = new Set(['rule', 'test', 'variable', 'local']);
