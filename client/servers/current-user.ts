import { hostname, userInfo } from 'node:os';

/** Returns the user of this process for the record: `user@host`. In a container the user may have no name. */
export function currentUser(): string {
  return `${userName()}@${hostname()}`;
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
}
