/** A program of the sandbox, of its benches or of tests: how to find its version, download it and build it. */
export interface Program {
  readonly name: string;
  /** Without a leading v. */
  readonly version: string;
  /** Absent if it prints no version: it is then not taken from PATH. */
  readonly versionArgs?: readonly string[];
  /** Returns the version, without a leading v, from the output of `versionArgs`. */
  parseVersion(output: string): string | undefined;
  /** Undefined if this platform has no official release. */
  release(platform: Platform, origins: Origins): Release | undefined;
  readonly build: {
    /** The folder with the go.mod that pins it. */
    readonly module: string;
    readonly package: string;
    readonly ldflags: string;
    /** Duration of a build, measured on 2 cores with empty caches. */
    readonly minutes: number;
  };
}

export interface Platform {
  readonly os: 'linux' | 'darwin';
  readonly arch: 'amd64' | 'arm64';
}

/** Where releases are published; tests use their own server. */
export interface Origins {
  readonly github: string;
  readonly githubApi: string;
  readonly kubernetes: string;
  readonly helm: string;
}

export const officialOrigins: Origins = {
  github: 'https://github.com',
  githubApi: 'https://api.github.com',
  kubernetes: 'https://dl.k8s.io',
  helm: 'https://get.helm.sh',
};

export interface Release {
  readonly url: string;
  readonly checksum: {
    readonly url: string;
    /** Returns the hex SHA-256 of the file from the published text. */
    find(published: string): string | undefined;
  };
  /** Path of the program inside the archive; undefined if the download is the program. */
  readonly member?: string;
}

/** Finds a file in the `<hex>  <file>` lines of sha256sum. */
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
