import type { NewCredential, Passkey } from "../../domain/people/passkey.ts";
import { isBase64url, isClientData, readAnswerText } from "./answer-text.ts";
import { ALGORITHMS, algorithmOf } from "./public-key.ts";

/** Bytes of the longest attestation object: with a credential id of 1,023 bytes and an RSA key it has about 1,700. */
const MOST_ATTESTATION_BYTES = 4_096;
/** Bytes of the longest authenticator data of a use: 37 without extensions. */
const MOST_AUTHENTICATOR_BYTES = 2_048;
/** Bytes of the longest signature: RSA with 4,096 bits. */
const MOST_SIGNATURE_BYTES = 512;
/** Bytes of the longest COSE_Key. */
const MOST_KEY_BYTES = 2_048;
/** `AuthenticatorTransport` (L3, section 5.8.4), and `cable`, the former name of `hybrid`. */
const TRANSPORTS = ["ble", "cable", "hybrid", "internal", "nfc", "smart-card", "usb"];

/**
 * Judges answers, which are the JSON text of `PublicKeyCredential.toJSON()` (Web Authentication Level 3, sections 7.1 and 7.2). A wrong
 * answer gives null, whatever is wrong with it. Challenges are base64url, and their lifetime and owner are for the caller to check.
 */
export interface PasskeyAnswers {
  /** The facts of a new credential; null for an answer that is not good. */
  readNew(answer: string, challenge: string): Promise<NewCredential | null>;
  /** The passkey and the person that an answer speaks of, before anything is proved; null for text that is no such answer. */
  claimOf(answer: string): { readonly credentialId: string; readonly userHandle: string | null } | null;
  /**
   * The news that a use brings; null unless the passkey's owner has signed the challenge here. The answer must name the owner, as
   * authenticators do for every discoverable credential. The counter is not judged: `PasskeyStore.use` does that.
   */
  readUse(answer: string, challenge: string, passkey: Passkey): Promise<Pick<Passkey, "counter" | "isBackedUp"> | null>;
}

type Library = typeof import("@simplewebauthn/server") & typeof import("@simplewebauthn/server/helpers");

/**
 * @param settings `origin` as browsers write it (RFC 6454), and the domain that passkeys are made for
 * @example
 * const answers = openPasskeyAnswers({ origin: "https://auth.example.com", rpId: "example.com" });
 * const credential = await answers.readNew(form.answer, challenge);
 */
export function openPasskeyAnswers(settings: { readonly origin: string; readonly rpId: string }): PasskeyAnswers {
  const { origin, rpId } = settings;
  let loading: Promise<Library> | null = null;

  /** The library takes 200 ms and 20 MB: it is loaded for the first answer that looks right. */
  function load(): Promise<Library> {
    loading ??= Promise.all([import("@simplewebauthn/server"), import("@simplewebauthn/server/helpers")]).then(
      ([server, helpers]) => ({ ...server, ...helpers }),
    );
    return loading;
  }

  return {
    async readNew(text, challenge) {
      const answer = readAnswerText(text);
      if (!answer) return null;
      const { clientDataJSON, attestationObject, transports } = answer.response;
      if (!isClientData(clientDataJSON, { type: "webauthn.create", challenge, origin })) return null;
      if (!isBase64url(attestationObject, MOST_ATTESTATION_BYTES)) return null;
      const library = await load();
      try {
        if (!isPlain(library, attestationObject, answer.id)) return null;
        const { verified, registrationInfo } = await library.verifyRegistrationResponse({
          response: {
            id: answer.id,
            rawId: answer.id,
            type: "public-key",
            response: { clientDataJSON, attestationObject },
            clientExtensionResults: {},
          },
          expectedChallenge: challenge,
          expectedOrigin: origin,
          expectedRPID: rpId,
          requireUserPresence: true,
          requireUserVerification: true,
          supportedAlgorithmIDs: [...ALGORITHMS],
        });
        if (!verified) return null;
        const { credential, aaguid, credentialDeviceType, credentialBackedUp } = registrationInfo;
        return {
          credentialId: credential.id,
          publicKey: library.isoBase64URL.fromBuffer(credential.publicKey),
          rpId,
          counter: credential.counter,
          transports: TRANSPORTS.filter((transport) => Array.isArray(transports) && transports.includes(transport)),
          aaguid,
          isBackupEligible: credentialDeviceType === "multiDevice",
          isBackedUp: credentialBackedUp,
        };
      } catch {
        return null; // the library throws for whatever is wrong
      }
    },

    claimOf(text) {
      const answer = readAnswerText(text);
      return answer && { credentialId: answer.id, userHandle: answer.userHandle };
    },

    async readUse(text, challenge, passkey) {
      const answer = readAnswerText(text);
      if (answer?.id !== passkey.credentialId || answer.userHandle !== passkey.userHandle) return null;
      if (passkey.rpId !== rpId) return null;
      const { clientDataJSON, authenticatorData, signature } = answer.response;
      if (!isClientData(clientDataJSON, { type: "webauthn.get", challenge, origin })) return null;
      if (!isBase64url(authenticatorData, MOST_AUTHENTICATOR_BYTES)) return null;
      if (!isBase64url(signature, MOST_SIGNATURE_BYTES)) return null;
      const library = await load();
      try {
        const publicKey = library.isoBase64URL.toBuffer(passkey.publicKey);
        if (algorithmOf(library.decodeCredentialPublicKey(publicKey)) === null) return null;
        const { verified, authenticationInfo } = await library.verifyAuthenticationResponse({
          response: {
            id: answer.id,
            rawId: answer.id,
            type: "public-key",
            response: { clientDataJSON, authenticatorData, signature, userHandle: answer.userHandle },
            clientExtensionResults: {},
          },
          expectedChallenge: challenge,
          expectedOrigin: origin,
          expectedRPID: rpId,
          requireUserVerification: true,
          // The database judges the counter: with 0 the library lets any pass.
          credential: { id: passkey.credentialId, publicKey, counter: 0 },
        });
        const { newCounter, credentialDeviceType, credentialBackedUp } = authenticationInfo;
        if (!verified || (credentialDeviceType === "multiDevice") !== passkey.isBackupEligible) return null;
        return { counter: newCounter, isBackedUp: credentialBackedUp };
      } catch {
        return null;
      }
    },
  };
}

/**
 * Whether an attestation object is for this credential id and a key of ours, and has no certificates to parse. Pages ask for no
 * attestation, and browsers then send none, or one that the new key itself has signed (L3, section 5.1.3).
 *
 * @throws for text that is no attestation object
 */
function isPlain(library: Library, attestationObject: string, id: string): boolean {
  const attestation = library.decodeAttestationObject(library.isoBase64URL.toBuffer(attestationObject));
  const { credentialID, credentialPublicKey } = library.parseAuthenticatorData(attestation.get("authData"));
  if (!credentialID || library.isoBase64URL.fromBuffer(credentialID) !== id) return false;
  if (!credentialPublicKey || credentialPublicKey.length > MOST_KEY_BYTES) return false;
  const algorithm = algorithmOf(library.decodeCredentialPublicKey(credentialPublicKey));
  const statement: unknown = attestation.get("attStmt");
  if (algorithm === null || !(statement instanceof Map)) return false;
  if (attestation.get("fmt") === "none") return statement.size === 0;
  const isSelfSigned = statement.size === 2 && statement.has("sig") && statement.get("alg") === algorithm;
  return attestation.get("fmt") === "packed" && isSelfSigned;
}
