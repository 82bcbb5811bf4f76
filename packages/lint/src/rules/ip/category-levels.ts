import { ADDRESS_CATEGORIES } from '@tollgate/catalog';

/** The ids of all address categories, and their prefixes. */
export const CATEGORY_LEVELS: ReadonlySet<string> = new Set(ADDRESS_CATEGORIES.flatMap(levelsOf));

function levelsOf(id: string): readonly string[] {
  const words = id.split('.');
  return words.map((_, index) => words.slice(0, index + 1).join('.'));
}
