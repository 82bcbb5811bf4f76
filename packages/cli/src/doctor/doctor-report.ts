/** What `tollgate doctor` found. */
export interface DoctorReport {
  readonly sections: readonly DoctorSection[];
}

/** Facts about one part of the installation. */
interface DoctorSection {
  readonly name: string;
  readonly facts: readonly DoctorFact[];
}

/** One fact. */
export interface DoctorFact {
  readonly name: string;
  readonly value: string;
  /** Where it comes from: a line of a file, an environment variable, or `default`. */
  readonly from?: string;
  /** What to do, if this is a problem. */
  readonly problem?: string;
}

/** Returns the facts that are problems. */
export function problemsOf({ sections }: DoctorReport): readonly DoctorFact[] {
  return sections.flatMap(({ facts }) => facts.filter(({ problem }) => problem !== undefined));
}
