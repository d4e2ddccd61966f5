/** A file or folder of this machine that a container sees at another path. */
export interface Mount {
  /** Absolute, without `..`, links and trailing slashes. */
  readonly target: string;
  readonly source: string;
  readonly readOnly: boolean;
}

/** Whether a path is in a folder, or is the folder itself. */
export function isWithin(path: string, folder: string): boolean {
  return folder === '/' || path === folder || path.startsWith(`${folder}/`);
}

/** Maps a path inside the container to one of this machine. */
export function locate(path: string, mounts: readonly Mount[]): string {
  const over = mounts.filter(({ target }) => isWithin(path, target));
  const [nearest] = over.sort((a, b) => b.target.length - a.target.length);
  return nearest ? nearest.source + path.slice(nearest.target.length) : path;
}
