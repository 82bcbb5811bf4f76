import { ACCESS } from './shapes/access.ts';
import { BACKENDS } from './shapes/backends.ts';
import { EDGE_MODULES } from './shapes/edge-modules.ts';
import { EDGES } from './shapes/edges.ts';
import { EVENTS } from './shapes/events.ts';
import { HOSTS } from './shapes/hosts.ts';
import { ROUTE_MODULES } from './shapes/route-modules.ts';
import { SIGN_ON_MODULES } from './shapes/sign-on-modules.ts';

/** Every object on the wire, by name: records, modules and their parts. */
export const SHAPES = {
  ...EDGES,
  ...EDGE_MODULES,
  ...ROUTE_MODULES,
  ...SIGN_ON_MODULES,
  ...BACKENDS,
  ...ACCESS,
  ...EVENTS,
  ...HOSTS,
} as const;

/** The name of a shape. */
export type ShapeName = keyof typeof SHAPES;
