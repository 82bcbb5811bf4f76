/** A member of JSON that a command prints for other programs. */
export interface JsonMember {
  /** `[]` for each item of a list, `{}` for each member of a map. */
  readonly path: string;
  readonly doc: string;
}
