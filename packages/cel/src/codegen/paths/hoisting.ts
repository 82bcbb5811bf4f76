import type { Expr } from '../../ast/ast.ts';
import { emit, fresh, type Generation } from '../scope/generation.ts';
import type { Path, PathTrieNode, Step } from '../scope/path-trie.ts';
import { emitPlainLoad, emitTypeTest, isPlainlyLoaded, isSafeName, plainLoad } from './path-code.ts';
import { eachPath } from './paths.ts';

/** Calls a function with the root of each expression, after switching `g` to it. */
type EachRoot = (visit: (root: Expr) => void) => void;

/**
 * Loads paths that are read more than once, or in loops, at the start of a function. Loading early is sound: it has no effect, and an error
 * or unknown counts only where the path is read.
 */
export function hoistPaths(g: Generation, eachRoot: EachRoot): void {
  const distinct: Path[] = [];
  eachRoot(root =>
    eachPath(g, root, (path, looped) => {
      const end = path.trieNodes.at(-1) as PathTrieNode;
      if (path.root.kind !== 'variable') return;
      if (end.reads === 0) distinct.push(path);
      end.reads += looped ? 2 : 1;
    }),
  );
  if (distinct.length > 1) hoistContainers(g, distinct);
  for (const path of distinct) {
    const end = path.trieNodes.at(-1) as PathTrieNode;
    if (end.reads < 2) continue;
    const loaded = emitPlainLoad(g, path);
    emitTypeTest(g, loaded);
    end.local = { js: loaded.js, type: loaded.type, guarded: true };
  }
}

/** Loads containers that several paths share once, without tests: each path tests its own result. */
function hoistContainers(g: Generation, paths: readonly Path[]): void {
  for (const path of paths) {
    for (let length = 0; length < containersOf(path); length++) (path.trieNodes[length] as PathTrieNode).passes += 1;
  }
  for (const path of paths) {
    for (let length = 0; length < containersOf(path); length++) {
      const place = path.trieNodes[length] as PathTrieNode;
      if (place.passes < 2 || place.container !== undefined) continue;
      const name = fresh(g, 'c');
      emit(g, `const ${name}=${plainLoad(g, path, length)};`);
      place.container = name;
    }
  }
}

/** Returns how many trie nodes of a path, from the root on, are objects or maps that can be loaded plainly. */
function containersOf({ root, steps }: Path): number {
  if (!isSafeName(root.name)) return 0;
  let count = 0;
  for (; count < steps.length && steps[count]?.kind !== 'index'; count++) {
    if (!isPlainlyLoaded(steps[count] as Step)) return count + 1;
  }
  return count;
}
