/** Version of the command and all its packages. */
export const VERSION = '0.1.0';
