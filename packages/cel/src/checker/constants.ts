import type { CallExpr } from '../syntax/ast.ts';
import type { Checking } from './checking.ts';

/** Reports constants that the call will always refuse, such as a pattern that is none. */
export function checkConstants(_c: Checking, _call: CallExpr): void {}
