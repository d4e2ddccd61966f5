import { hostname, userInfo } from 'node:os';

/** Who runs this process, as it goes on record: `user@host`. In a container the user may have no name. */
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
