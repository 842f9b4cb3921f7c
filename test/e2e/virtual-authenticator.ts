import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import type { CDPSession, Page } from "playwright-core";

/** A credential as the DevTools protocol describes it (`WebAuthn.Credential`); bytes are base64. */
type Credential = Awaited<ReturnType<typeof credentialsOf>>[number];

/** An authenticator inside Chromium, built into the device that the browser runs on. */
export interface VirtualAuthenticator {
  credentials(): Promise<Credential[]>;
  add(credential: Credential): Promise<void>;
  remove(credentialId: string): Promise<void>;
  /** Whether the device finds that its owner is the one who touches it. */
  setVerified(isVerified: boolean): Promise<void>;
  /** Whether somebody touches the device as soon as it is asked. Requests that wait already stay untouched. */
  setTouched(isTouched: boolean): Promise<void>;
}

/** @param options by default a device that can tell who touches it, and does not copy its credentials to others */
export async function addAuthenticator(
  page: Page,
  options: {
    readonly hasUserVerification?: boolean;
    readonly isSynced?: boolean;
    readonly transport?: "internal" | "usb";
  } = {},
): Promise<VirtualAuthenticator> {
  const { hasUserVerification = true, isSynced = false, transport = "internal" } = options;
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      ...{ protocol: "ctap2", ctap2Version: "ctap2_1", transport, hasResidentKey: true },
      ...{ hasUserVerification, isUserVerified: hasUserVerification, automaticPresenceSimulation: true },
      ...{ defaultBackupEligibility: isSynced, defaultBackupState: isSynced },
    },
  });
  return {
    credentials: () => credentialsOf(cdp, authenticatorId),
    add: (credential) => done(cdp.send("WebAuthn.addCredential", { authenticatorId, credential })),
    remove: (credentialId) => done(cdp.send("WebAuthn.removeCredential", { authenticatorId, credentialId })),
    setVerified: (isUserVerified) => done(cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified })),
    setTouched: (enabled) => done(cdp.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId, enabled })),
  };
}

async function credentialsOf(cdp: CDPSession, authenticatorId: string) {
  return (await cdp.send("WebAuthn.getCredentials", { authenticatorId })).credentials;
}

async function done(sent: Promise<unknown>): Promise<void> {
  await sent;
}

/** What pages have asked of the browser's functions for passkeys. */
export interface RecordedCalls {
  /** Such as "get conditional", and when it is over "get conditional: done" or "get conditional: AbortError". */
  readonly lines: readonly string[];
  /** Waits until a line is there, among those after the first so many. */
  until(line: string, after?: number): Promise<void>;
  /** Waits until a signal about credentials has reached the authenticators. */
  signalled(name: string, about: object): Promise<void>;
}

/** Records what the pages that open from now on ask of the browser's functions for passkeys. */
export async function recordCalls(page: Page): Promise<RecordedCalls> {
  const lines: string[] = [];
  await page.exposeFunction("recordCall", (line: string) => void lines.push(line));
  await page.addInitScript(`
    for (const name of ["get", "create"]) {
      const call = navigator.credentials[name].bind(navigator.credentials);
      navigator.credentials[name] = async (options) => {
        const line = name + (options.mediation === undefined ? "" : " " + options.mediation);
        recordCall(line);
        try {
          const credential = await call(options);
          recordCall(line + ": done");
          return credential;
        } catch (error) {
          recordCall(line + ": " + error.name);
          throw error;
        }
      };
    }
    for (const name of ["signalUnknownCredential", "signalAllAcceptedCredentials"]) {
      const call = PublicKeyCredential[name].bind(PublicKeyCredential);
      PublicKeyCredential[name] = async (about) => {
        await call(about);
        recordCall(name + " " + JSON.stringify(about));
      };
    }`);
  async function until(line: string, after = 0): Promise<void> {
    for (let tries = 0; !lines.slice(after).includes(line); tries++) {
      assert.ok(tries < 500, `${line} is not among ${lines.join(", ")}`);
      await pause(20);
    }
  }

  return { lines, until, signalled: (name, about) => until(`${name} ${JSON.stringify(about)}`) };
}

/**
 * As in a browser that offers no passkeys at the address field. The virtual device answers there as soon as a page opens, before anybody
 * can press a button.
 */
export async function withoutAutofill(page: Page): Promise<void> {
  await page.addInitScript("PublicKeyCredential.isConditionalMediationAvailable = async () => false");
}
