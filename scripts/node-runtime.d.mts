export const MINIMUM: string;
export const PREFERRED: string;
export const ROOT: string;
export const NODE_HOME: string;
export function nodePackage(machine?: { readonly platform: string; readonly arch: string }): string;
export function isNewEnough(version: string): boolean;
export function projectNode(): string | undefined;
export function runNode(
  node: string,
  args: readonly string[],
  options?: { readonly env?: NodeJS.ProcessEnv },
): Promise<number>;
