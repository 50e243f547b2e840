/** The part of the Trusted Types API that is used; absent in browsers that lack it. */
interface TrustedTypePolicy {
  createScriptURL(url: string): string;
}
declare var trustedTypes:
  | {
      createPolicy(name: string, rules: { createScriptURL(url: string): string }): TrustedTypePolicy;
    }
  | undefined;
