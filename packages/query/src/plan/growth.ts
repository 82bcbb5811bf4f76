/** Something read an input that its plan did not foresee: the plan grew, and has to be carried out again. */
export class Growth extends Error {}
