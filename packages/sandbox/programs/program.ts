/** A program of the sandbox: how to recognise it, and the two places it comes from. */
export interface Program {
  readonly name: string;
  /** Without a leading v. */
  readonly version: string;
  readonly versionArgs: readonly string[];
  /** The version in what `versionArgs` prints, without a leading v; each program words it differently. */
  parseVersion(output: string): string | undefined;
  /** Undefined where no official release exists for this platform. */
  release(platform: Platform, origins: Origins): Release | undefined;
  readonly build: {
    /** The folder here that holds the go.mod which pins it. */
    readonly module: string;
    readonly package: string;
    readonly ldflags: string;
    /** Measured on 2 cores with empty caches, to tell people how long this may take. */
    readonly minutes: number;
  };
}

export interface Platform {
  readonly os: 'linux' | 'darwin';
  readonly arch: 'amd64' | 'arm64';
}

/** Where releases are published; tests put a server of their own here. */
export interface Origins {
  readonly github: string;
  readonly githubApi: string;
  readonly kubernetes: string;
}

export const officialOrigins: Origins = {
  github: 'https://github.com',
  githubApi: 'https://api.github.com',
  kubernetes: 'https://dl.k8s.io',
};

export interface Release {
  readonly url: string;
  readonly checksum: {
    readonly url: string;
    /** The hex SHA-256 of the file at `url`, found in what is published. */
    find(published: string): string | undefined;
  };
  /** Path of the program inside the archive; absent when the download is the program itself. */
  readonly member?: string;
}

/** The `<hex>  <file>` lines that sha256sum prints. */
export function findInSums(file: string): (published: string) => string | undefined {
  return (published) => {
    for (const line of published.split('\n')) {
      const [sum, name] = line.trim().split(/\s+\*?/);
      if (name === file) return sum;
    }
    return undefined;
  };
}

export function thisPlatform(): Platform {
  const os = process.platform;
  const arch = process.arch === 'x64' ? 'amd64' : process.arch;
  if ((os === 'linux' || os === 'darwin') && (arch === 'amd64' || arch === 'arm64')) return { os, arch };
  throw new Error(
    `sandbox: expected linux or darwin on amd64 or arm64, got ${os} on ${arch}. Use a Linux or macOS machine, or WSL 2 on Windows`,
  );
}
