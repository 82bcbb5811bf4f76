/** The version of Tollgate, which the build writes here. */
export const VERSION: string = 'TOLLGATE-VERSION';
