/**
 * The CEL libraries of an edge, as versions of cel-go count them: those that were there when the vendor's reference of functions was
 * written. `json.encode` is a function of the edge's own, which later versions of cel-go have too.
 */
export const EDGE_LIBRARIES: Readonly<Record<string, number>> = { encoders: 0, lists: 4, optionals: 2 };
