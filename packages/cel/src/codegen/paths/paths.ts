import type { Expr } from '../../ast/ast.ts';
import { type Generation, localKey, staticType } from '../scope/generation.ts';
import type { Path, PathTrieNode, Step } from '../scope/path-trie.ts';

/** Returns the path that a node is; undefined for all other nodes. */
export function pathOf(g: Generation, node: Expr): Path | undefined {
  if (node.kind !== 'ident' && node.kind !== 'select' && node.kind !== 'call') return undefined;
  if (node.kind === 'call' && node.function !== '_[_]') return undefined;
  const known = g.pathsOfNodes[node.id];
  if (known !== undefined) return known ?? undefined;
  const path = findPath(g, node);
  g.pathsOfNodes[node.id] = path ?? null;
  return path;
}

function findPath(g: Generation, node: Expr): Path | undefined {
  const steps: Step[] = [];
  let at = node;
  for (;;) {
    const reference = g.typed.references[at.id];
    if (reference?.kind === 'variable' || reference?.kind === 'local') {
      const scope = reference.kind === 'local' ? reference.scope : 0;
      steps.reverse();
      const root = { kind: reference.kind, name: reference.name, scope };
      return { root, rootId: at.id, type: staticType(g, node), steps, trieNodes: trieNodesOf(g, root, steps) };
    }
    const step = stepOf(g, at);
    if (step === undefined) return undefined;
    steps.push(step[1]);
    at = step[0];
  }
}

function trieNodesOf(g: Generation, root: Path['root'], steps: readonly Step[]): readonly PathTrieNode[] {
  let place =
    root.kind === 'variable'
      ? trieNodeAt(g.pathTrie, root.name)
      : trieNodeAt(g.localPathTrie, localKey(root.scope, root.name));
  const trieNodes = [place];
  for (const { name } of steps) {
    // An index is a number, so it cannot collide with a name.
    place = trieNodeAt(place.parts, name);
    trieNodes.push(place);
  }
  return trieNodes;
}

function trieNodeAt<Key>(trieNodes: Map<Key, PathTrieNode>, key: Key): PathTrieNode {
  let place = trieNodes.get(key);
  if (place === undefined) {
    place = { parts: new Map(), reads: 0, passes: 0, container: undefined, local: undefined };
    trieNodes.set(key, place);
  }
  return place;
}

/** Returns the node that a node steps into, and the step. */
function stepOf(g: Generation, node: Expr): readonly [Expr, Step] | undefined {
  const type = staticType(g, node);
  if (node.kind === 'select') {
    const from = staticType(g, node.operand).kind;
    if (node.testOnly || (from !== 'object' && from !== 'map')) return undefined;
    const kind = from === 'object' ? 'field' : 'key';
    return [node.operand, { kind, name: node.field, exprId: node.id, type }];
  }
  if (node.kind !== 'call' || node.function !== '_[_]') return undefined;
  const [operand, index] = node.args;
  if (operand === undefined || index?.kind !== 'literal') return undefined;
  const from = staticType(g, operand).kind;
  const { literal } = index;
  if (from === 'map' && literal.type === 'string') {
    return [operand, { kind: 'key', name: literal.value, exprId: node.id, type }];
  }
  if (from === 'list' && literal.type === 'int' && typeof literal.value === 'number' && literal.value >= 0) {
    return [operand, { kind: 'index', name: literal.value, exprId: node.id, type }];
  }
  return undefined;
}

/** Receives a path and whether it is read in each iteration of a loop. */
type PathVisitor = (path: Path, looped: boolean) => void;

/** Calls `visit` for every outermost path of an expression. */
export function eachPath(g: Generation, node: Expr, visit: PathVisitor, looped = false): void {
  const path = pathOf(g, node);
  if (path !== undefined) visit(path, looped);
  else eachPathInside(g, node, visit, looped);
}

function eachPathInside(g: Generation, node: Expr, visit: PathVisitor, looped: boolean): void {
  switch (node.kind) {
    case 'select':
      eachPath(g, node.operand, visit, looped);
      break;
    case 'call':
      if (node.target !== undefined) eachPath(g, node.target, visit, looped);
      for (const arg of node.args) if (arg.kind !== 'literal') eachPath(g, arg, visit, looped);
      break;
    case 'list':
      for (const element of node.elements) if (element.kind !== 'literal') eachPath(g, element, visit, looped);
      break;
    case 'map':
      for (const { key, value } of node.entries) {
        eachPath(g, key, visit, looped);
        eachPath(g, value, visit, looped);
      }
      break;
    case 'struct':
      for (const { value } of node.fields) eachPath(g, value, visit, looped);
      break;
    case 'comprehension':
      eachPath(g, node.iterRange, visit, looped);
      eachPath(g, node.accuInit, visit, looped);
      for (const part of [node.loopCondition, node.loopStep, node.result]) eachPath(g, part, visit, true);
      break;
    default:
      break;
  }
}
