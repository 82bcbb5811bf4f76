import { EDGE_V2 } from './edge-v2/edge-v2.ts';
import { EDGE_V2_SNAKE } from './edge-v2-snake/edge-v2-snake.ts';
import { MODERN } from './modern/modern.ts';
import type { Profile } from './schema/profile.ts';

/** All profiles, oldest first. */
export const PROFILES: readonly Profile[] = [EDGE_V2, EDGE_V2_SNAKE, MODERN];
