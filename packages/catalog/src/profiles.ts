import { EDGE_V2 } from './edge-v2/edge-v2.ts';
import { EDGE_V2_SNAKE } from './edge-v2/edge-v2-snake.ts';
import { MODERN } from './modern/modern.ts';
import type { Profile } from './schema/profile.ts';

/** The date of the documentation that the facts of each profile were taken from, by profile name. */
export const SOURCE_DATES: Readonly<Record<string, string>> = {
  // Superseded profiles have the last date on which they were documented.
  'edge-v2': '2024-05-23',
  'edge-v2-snake': '2024-10-16',
  modern: '2026-08-07',
};

/** All profiles, oldest first. */
export const PROFILES: readonly Profile[] = [EDGE_V2, EDGE_V2_SNAKE, MODERN];
