import type { Configuration } from 'openid-client';
import type { OidcSettings } from '../../contracts/settings.ts';
import { errorCode } from '../../language/error-code.ts';
import { errorMessage } from '../../language/error-message.ts';
import { DeniedError } from '../http/denied-error.ts';
import { isLoopback } from '../http/hosts.ts';
import { ProblemError } from '../http/problem-error.ts';
import { measured } from '../metrics.ts';

/** What a sign-in must come back with. */
export interface SignInRequest {
  readonly verifier: string;
  readonly state: string;
  readonly nonce: string;
}

interface ClientOptions {
  readonly secret: string | undefined;
  readonly redirect: string;
}

const ANSWER_SECONDS = 10;
/** How far clocks may differ. */
const CLOCK_SECONDS = 30;

/** A client of an OpenID provider: authorization code with PKCE. It asks nothing before somebody signs in. */
export class OidcClient {
  readonly #settings: OidcSettings;
  readonly #options: ClientOptions;
  #configuration: Promise<Configuration> | undefined;

  constructor(settings: OidcSettings, options: ClientOptions) {
    this.#settings = settings;
    this.#options = options;
  }

  /** Where somebody signs in. */
  async begin(): Promise<{ readonly location: string; readonly request: SignInRequest }> {
    const [library, configuration] = await this.#ready();
    const request = {
      verifier: library.randomPKCECodeVerifier(),
      state: library.randomState(),
      nonce: library.randomNonce(),
    };
    const location = library.buildAuthorizationUrl(configuration, {
      ...{ redirect_uri: this.#options.redirect, scope: this.#settings.scopes },
      ...{ state: request.state, nonce: request.nonce, code_challenge_method: 'S256' },
      code_challenge: await library.calculatePKCECodeChallenge(request.verifier),
    });
    return { location: location.href, request };
  }

  /** Returns the claims of who has signed in. `url`: with which the browser came back. */
  async finish(
    url: URL,
    { verifier, state, nonce }: SignInRequest,
  ): Promise<Readonly<Record<string, unknown>>> {
    const [library, configuration] = await this.#ready();
    const back = new URL(this.#options.redirect);
    back.search = url.search;
    return this.#answered(async () => {
      const tokens = await library.authorizationCodeGrant(configuration, back, {
        ...{ pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true },
      });
      const claims = tokens.claims()!;
      const { userClaim, groupsClaim } = this.#settings;
      const isComplete = userClaim in claims && groupsClaim in claims;
      if (isComplete || configuration.serverMetadata().userinfo_endpoint === undefined) return claims;
      const more = await library.fetchUserInfo(configuration, tokens.access_token, claims.sub);
      return { ...more, ...claims };
    });
  }

  async #ready() {
    const library = await import('openid-client');
    this.#configuration ??= this.#answered(() => this.#discover(library));
    try {
      return [library, await this.#configuration] as const;
    } catch (error) {
      this.#configuration = undefined;
      throw error;
    }
  }

  async #discover(library: typeof import('openid-client')): Promise<Configuration> {
    const { issuer, clientId } = this.#settings;
    const { secret } = this.#options;
    const url = new URL(issuer);
    const isPlain = url.protocol === 'http:' && isLoopback(url.hostname);
    const configuration = await library.discovery(
      url,
      clientId,
      { [library.clockTolerance]: CLOCK_SECONDS },
      secret === undefined ? library.None() : library.ClientSecretPost(secret),
      { timeout: ANSWER_SECONDS, execute: isPlain ? [library.allowInsecureRequests] : [] },
    );
    // Also the signature of what comes by TLS from the provider itself.
    library.enableNonRepudiationChecks(configuration);
    return configuration;
  }

  async #answered<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await measured({ server: 'provider', what: 'sign-in' }, ask);
    } catch (error) {
      throw problemOf(error, this.#settings);
    }
  }
}

/** What a person can do about it. */
function problemOf(error: unknown, { issuer, clientId }: OidcSettings): Error {
  const told = error as { error?: string; error_description?: string; cause?: unknown };
  const code = errorCode(error);
  if (code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED')
    return problem(
      "The provider's answer is not valid at this time.",
      `The clocks of console and provider differ by more than ${CLOCK_SECONDS} s: set them, e.g. by NTP.`,
      error,
    );
  if (code === 'OAUTH_JWT_CLAIM_COMPARISON_FAILED')
    return problem(
      `The provider's answer is not for the client ${clientId}, or not of ${issuer}: ${detailsOf(error)}.`,
      ASK_WHO_RUNS,
      error,
    );
  if (told.error !== undefined)
    return new DeniedError(
      'NotSignedIn',
      `The provider refuses: ${[told.error, told.error_description].filter(Boolean).join(': ')}.`,
      {
        remedy: 'Sign in again; if it refuses again, ask who runs it.',
        cause: error,
      },
    );
  if (isNoAnswer(error))
    return new ProblemError(
      503,
      `The provider ${issuer} does not answer: ${errorMessage(told.cause ?? error)}.`,
      'Nobody can sign in until it does; who has signed in can go on.',
      error,
    );
  return problem(`The sign-in at ${issuer} did not work: ${detailsOf(error)}.`, ASK_WHO_RUNS, error);
}

const ASK_WHO_RUNS =
  'Sign in again. If it stays so, ask who runs the console: its settings and those of the provider do not fit.';

const problem = (message: string, remedy: string, cause: unknown) =>
  new ProblemError(502, message, remedy, cause);

/** A network that fails is a TypeError of `fetch`. */
const isNoAnswer = (error: unknown): boolean =>
  error instanceof TypeError ||
  ['OAUTH_TIMEOUT', 'OAUTH_RESPONSE_IS_NOT_CONFORM'].includes(errorCode(error) ?? '');

function detailsOf(error: unknown): string {
  const { cause } = error as { cause?: unknown };
  return cause instanceof Error ? `${errorMessage(error)} (${errorMessage(cause)})` : errorMessage(error);
}
