// What the answer to a subscribe or a refresh tells our user.
import type { WebhookGrant } from "../../protocol/index.ts";
import type { GapReason, Item } from "../item.ts";
import { troubleIn } from "./delivery-status.ts";
import { aboutWebhook, type Keeping } from "./webhook-follow.ts";

/** The items of a grant, which may be none: a refresh that changes nothing is no news. */
export function grantItems(
	grant: WebhookGrant,
	{ follow, shared, course }: Keeping,
): Item[] {
	const items: Item[] = [];
	const head = aboutWebhook(follow, shared.pieces.now());
	const cursor = grant.cursor ?? follow.position.cursor;
	if (course.isNews) {
		const { url } = follow;
		items.push({
			...head,
			kind: "ready",
			cursor,
			first: !course.hasWorked,
			url,
		});
	}
	const reason = gapReason(grant, { follow, course });
	if (reason) items.push({ ...head, kind: "gap", reason, cursor });
	const trouble = troubleIn(grant.deliveryStatus, follow.status);
	if (trouble) items.push({ ...head, kind: "error", error: trouble });
	if (grant.deliveryStatus) follow.status = grant.deliveryStatus;
	return items;
}

function gapReason(
	{ truncated }: WebhookGrant,
	{ follow, course }: Pick<Keeping, "follow" | "course">,
): GapReason | undefined {
	if (course.rejected) return "cursor-rejected";
	if (!truncated) return undefined;
	if (follow.position.isServed) return "truncated";
	follow.odd("truncated, of a type without cursors: ignored");
	return undefined;
}
