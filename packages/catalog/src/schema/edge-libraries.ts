/**
 * The CEL libraries of an edge and their cel-go versions, as of the vendor's function reference. `json.encode` is a function of the edge
 * that later versions of cel-go also have.
 */
export const EDGE_LIBRARIES: Readonly<Record<string, number>> = { encoders: 0, lists: 4, optionals: 2 };
