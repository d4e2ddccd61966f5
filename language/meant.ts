/** Returns a suffix for an error message. */
export const didYouMean = (name: string | undefined) => (name === undefined ? '' : `did you mean ${name}?`);

/** Returns the end of a sentence that has named what is wrong. */
export const orMeant = (name: string | undefined) => (name === undefined ? '.' : `; ${didYouMean(name)}`);
