export declare const MINIMUM: string;
export declare const PREFERRED: string;
export declare const ROOT: string;
export declare const NODE_HOME: string;
export declare function nodePackage(machine?: { readonly platform: string; readonly arch: string }): string;
export declare function isNewEnough(version: string): boolean;
export declare function projectNode(): string | undefined;
export declare function runNode(
  node: string,
  args: readonly string[],
  options?: { readonly env?: NodeJS.ProcessEnv },
): Promise<number>;
