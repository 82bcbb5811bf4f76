/** A member of a JSON report. */
export interface JsonMember {
  /** Path of the member; `[]` stands for each item of a list, `{}` for each value of a map. */
  readonly path: string;
  readonly doc: string;
}
