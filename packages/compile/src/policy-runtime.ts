/** What compiled policies run on, as declarations that know what they need; and modules that contain only what they use of it. */

/** A declaration of the runtime. */
export interface RuntimeDeclaration {
  readonly code: string;
  /** Positions of the declarations that it refers to. */
  readonly needs: readonly number[];
}

/** The runtime of compiled policies. */
export interface PolicyRuntime {
  /** In an order in which each can be evaluated. */
  readonly declarations: readonly RuntimeDeclaration[];
  /** By name: where what is exported is declared, and under which name. All names in `code` begin with `$$`, and nothing else there does so before a letter or digit. */
  readonly exports: Readonly<Record<string, { readonly at: number; readonly name: string }>>;
}

/**
 * Returns the code of the declarations that exports need. These are declared under their own names, and everything else under names that begin with a
 * dollar sign and a letter.
 * @param substitutes expressions that do the same for a policy as functions that are exported, and need nothing
 */
export function partOfRuntime(
  { declarations, exports }: PolicyRuntime,
  names: readonly string[],
  substitutes: Readonly<Record<string, string>> = {},
): string {
  const substituted = new Map(
    Object.entries(substitutes).map(([name, code]) => {
      const { at, name: local } = exports[name]!;
      return [at, { code: `const ${local}=${code};`, needs: [] }];
    }),
  );
  const declarationAt = (at: number): RuntimeDeclaration => substituted.get(at) ?? declarations[at]!;
  const needed = new Set(names.map(name => exports[name]!.at));
  // Iteration over a set includes elements that are added meanwhile.
  for (const at of needed) for (const other of declarationAt(at).needs) needed.add(other);
  const used = [...needed].sort((a, b) => a - b);
  const code = used.map(at => `${declarationAt(at).code}\n`).join('');
  const own = new Map(names.map(name => [exports[name]!.name, name] as const));
  const short = shortNames(code, own);
  return code.replace(LOCAL, local => own.get(local) ?? short.get(local)!);
}

/** The name of a declaration of the runtime. */
const LOCAL = /\$\$[0-9a-z]+/g;
const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** Returns short names for the declarations in some code but those that are named; the most frequent ones get the shortest. */
function shortNames(code: string, named: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  for (const [local] of code.matchAll(LOCAL)) if (!named.has(local)) counts.set(local, (counts.get(local) ?? 0) + 1);
  const sorted = [...counts].sort((a, b) => b[1] - a[1]);
  const letter = (at: number) => LETTERS[at % LETTERS.length]!;
  return new Map(
    sorted.map(([local], at) => {
      const high = at < LETTERS.length ? '' : letter(Math.floor(at / LETTERS.length) - 1);
      return [local, `$${high}${letter(at)}`];
    }),
  );
}
