import type { ComponentChildren } from "preact";
import { href } from "../../frame/href.ts";
import { TableHead } from "../../frame/list/table-head.tsx";
import { Time } from "../../frame/text/time.tsx";
import { listOfNames, methodWords, roleName, stateWords } from "../words.ts";
import { type Account, isThere } from "./person-model.ts";
import type { Step } from "./steps.ts";

interface SectionProps {
  readonly account: Account;
  readonly isMe: boolean;
  readonly ask: (step: Step) => void;
}

interface AccountFactsProps extends SectionProps {
  /** Administrators besides this person. */
  readonly others: readonly { readonly id: string; readonly name: string }[];
  readonly hasMoreOthers: boolean;
}

/** The account: address, role, state, times. */
export function AccountFacts({ account, isMe, others, hasMoreOthers, ask }: AccountFactsProps) {
  const { email, emailVerified, mailState } = account;
  return (
    <section class="section" aria-labelledby="account">
      <h2 id="account">Account</h2>
      <dl class="facts">
        {email !== "" && (
          <Fact name="E-mail address">
            <bdi>{email}</bdi>, {emailVerified ? "confirmed" : "not confirmed"}
            {mailState === "FAILING" && <span class="danger">. The last mail was rejected there.</span>}
          </Fact>
        )}
        <Fact name="Role">{roleName(account.role)}</Fact>
        <Fact name="State">{stateWords(account)}</Fact>
        <Fact name="Last sign-in">
          {account.lastSignInAt === null ? "Never, or not known" : <Time value={account.lastSignInAt} exact />}
        </Fact>
        <Fact name="Account since">
          <Time value={account.createdAt} exact />
        </Fact>
        <Fact name="Id">
          <code>{account.id}</code>
        </Fact>
      </dl>
      {isMe ? (
        <OwnAccount others={others} hasMoreOthers={hasMoreOthers} />
      ) : (
        isThere(account) && (
          <div class="actions">
            <button type="button" onClick={() => ask({ kind: "role" })}>
              Change role
            </button>
            {account.state === "ACTIVE" && (
              <button type="button" onClick={() => ask({ kind: "lock" })}>
                Lock out
              </button>
            )}
          </div>
        )
      )}
    </section>
  );
}

/** Says who can do what administrators cannot do to themselves. */
function OwnAccount({ others, hasMoreOthers }: Pick<AccountFactsProps, "others" | "hasMoreOthers">) {
  const names = others.map(({ name }) => name);
  return (
    <p class="note">
      {others.length === 0 ? (
        <span>
          This is your account, and you are the only administrator. Nobody else can change your role or help you back
          in. <a href={href("/people/new?role=ADMIN")}>Add another administrator</a>
        </span>
      ) : (
        <span>
          This is your account. You cannot change your own role, lock yourself out, reset your second step or delete
          your account here. Administrators who can: <bdi>{listOfNames(names, hasMoreOthers)}</bdi>.
        </span>
      )}
    </p>
  );
}

interface SignInProps extends SectionProps {
  /** News of a link that was made. */
  readonly children: ComponentChildren;
}

/** Ways to sign in, and help for somebody who has lost them. */
export function SignInSection({ account, isMe, ask, children }: SignInProps) {
  const mayHelp = !isMe && account.state === "ACTIVE";
  return (
    <section class="section" aria-labelledby="sign-in">
      <h2 id="sign-in">Sign-in</h2>
      <dl class="facts">
        <Fact name="Ways to sign in">{methodWords(account.signInMethods)}</Fact>
        <Fact name="Second step">{account.secondStep ? "On" : "Off"}</Fact>
        {account.localSignIn && <Fact name="Sign-in here">Allowed, although the domain uses another service</Fact>}
      </dl>
      {mayHelp && (
        <div class="actions">
          <button type="button" onClick={() => ask({ kind: "recovery" })}>
            {account.hasPassword ? "Send link for a new password" : "Send link for a password"}
          </button>
          {(account.secondStep || account.signInMethods.includes("PASSKEY")) && (
            <button type="button" onClick={() => ask({ kind: "second-step" })}>
              Reset second step
            </button>
          )}
          <button type="button" onClick={() => ask({ kind: "attempts" })}>
            Reset failed attempts
          </button>
          <button type="button" onClick={() => ask({ kind: "local", isAllowed: !account.localSignIn })}>
            {account.localSignIn ? "End sign-in here" : "Allow sign-in here"}
          </button>
        </div>
      )}
      {children}
      {account.upstreams.length > 0 && <Links account={account} ask={ask} />}
    </section>
  );
}

function Links({ account, ask }: Pick<SectionProps, "account" | "ask">) {
  return (
    <table class="rows people">
      <TableHead columns={["Service", "Account there", "Linked", "Last sign-in"]} actions="Changes" />
      <tbody>
        {account.upstreams.map((link) => (
          <tr key={`${link.provider} ${link.subject}`}>
            <th scope="row" class="main">
              {link.provider}
            </th>
            <td data-label="Account there" class="long" dir="auto">
              {link.email ?? link.subject}
            </td>
            <td data-label="Linked">
              <Time value={link.linkedAt} />
            </td>
            <td data-label="Last sign-in">{link.usedAt === null ? "Never" : <Time value={link.usedAt} />}</td>
            <td class="number">
              <button
                type="button"
                class="quiet"
                aria-label={`Remove the link to ${link.provider}`}
                onClick={() => ask({ kind: "unlink", link })}
              >
                Remove
              </button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
