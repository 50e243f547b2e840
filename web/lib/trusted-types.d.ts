/** The part of the Trusted Types API that is used; undefined in browsers without it. */
interface TrustedTypePolicy {
  createScriptURL(url: string): string;
}
declare var trustedTypes:
  | {
      createPolicy(name: string, rules: { createScriptURL(url: string): string }): TrustedTypePolicy;
    }
  | undefined;
