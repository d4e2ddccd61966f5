/** Set-up failed; has the reason and a remedy. */
export class SetupError extends Error {
  constructor(message, remedy, cause) {
    super(message, { cause });
    this.remedy = remedy;
  }
}

const CAUSES = [
  {
    signs: /ENOSPC|no space left/i,
    what: 'the disk is full',
    remedy: 'Free about 1.5 GB where this checkout and npm’s cache are, and run it again.',
  },
  {
    signs: /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT|network/i,
    what: 'the npm registry cannot be reached',
    remedy: 'Check the network, the proxy settings, and the registry that `npm config get registry` shows.',
  },
  {
    signs: /EACCES|EPERM|EROFS/,
    what: 'a folder cannot be written to',
    remedy: 'This checkout and npm’s cache must be writable for you.',
  },
  {
    signs: /E404|ETARGET|notarget/,
    what: 'the npm registry does not have a package',
    remedy: 'If it is a mirror, it may lag behind or filter: see `npm config get registry`.',
  },
];

/** Converts an error of npm or the file system to a message and a remedy. */
export function setupError(step, said, cause) {
  const known = CAUSES.find(({ signs }) => signs.test(said));
  // npm prints the error first and its usage last.
  const told = said.trim().split('\n').slice(0, 12).join('\n');
  if (known) return new SetupError(`${step}: ${known.what}.\n${told}`, known.remedy, cause);
  return new SetupError(`${step} failed.\n${told}`, 'What npm said above is all that is known.', cause);
}

export function explain(error) {
  if (error instanceof SetupError) return `error: ${error.message}\n${error.remedy}`;
  const known = CAUSES.find(({ signs }) => signs.test(String(error?.code)));
  return known
    ? `error: ${known.what}: ${error.message}\n${known.remedy}`
    : `error: ${error?.stack ?? error}`;
}
