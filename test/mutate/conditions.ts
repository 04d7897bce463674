// Finds the conditions of a source: what an `if`, a ternary, a predicate or an answer of yes and no hangs on.
import ts from "typescript";

/** One condition; `line` and `column` count from 1, `start` and `end` are offsets into the text. */
export interface Condition {
	start: number;
	end: number;
	line: number;
	column: number;
	/** In one line. */
	text: string;
}

/**
 * All conditions of a text, inner ones behind those around them. Parts of `&&` and `||` are conditions of their own;
 * what only chooses words for a message is none, and loops are left alone, because they would not end.
 */
export function findConditions(text: string): Condition[] {
	const source = ts.createSourceFile(
		"a.ts",
		text,
		ts.ScriptTarget.ESNext,
		true,
	);
	const found: Condition[] = [];

	const add = (node: ts.Expression) => {
		const start = node.getStart(source);
		const at = source.getLineAndCharacterOfPosition(start);
		found.push({
			start,
			end: node.end,
			line: at.line + 1,
			column: at.character + 1,
			text: node.getText(source).replace(/\s+/g, " "),
		});
	};
	const addCondition = (node: ts.Expression): void => {
		const inner = bare(node);
		if (isNot(inner)) {
			addCondition(inner.operand);
			return;
		}
		add(inner);
		if (isLogical(inner)) {
			addCondition(inner.left);
			addCondition(inner.right);
		}
	};
	const visit = (node: ts.Node): void => {
		if (ts.isTemplateSpan(node) || isWording(node)) return;
		const condition = conditionOf(node);
		if (condition) addCondition(condition);
		ts.forEachChild(node, visit);
	};
	visit(source);
	return withoutTwins(found);
}

/** A condition that is reached in two ways is one. */
function withoutTwins(found: readonly Condition[]): Condition[] {
	const byPlace = new Map(found.map((one) => [`${one.start} ${one.end}`, one]));
	return [...byPlace.values()].sort(
		(a, b) => a.start - b.start || b.end - a.end,
	);
}

/** The expression in this node that says yes or no, if there is one. */
function conditionOf(node: ts.Node): ts.Expression | undefined {
	if (ts.isIfStatement(node)) return node.expression;
	if (ts.isConditionalExpression(node)) return node.condition;
	if (ts.isBinaryExpression(node) && isLogical(node)) return node.left;
	if (ts.isArrowFunction(node) && !ts.isBlock(node.body))
		return isPredicate(node) || saysYesOrNo(node.body) ? node.body : undefined;
	const value = givenBy(node);
	return value && saysYesOrNo(value) ? value : undefined;
}

function givenBy(node: ts.Node): ts.Expression | undefined {
	if (ts.isReturnStatement(node)) return node.expression;
	return ts.isVariableDeclaration(node) ? node.initializer : undefined;
}

const SEARCHES = ["every", "filter", "find", "findIndex", "findLast", "some"];

/** Handed to a search of a list. */
function isPredicate(node: ts.ArrowFunction): boolean {
	const { parent } = node;
	return (
		ts.isCallExpression(parent) &&
		parent.arguments[0] === node &&
		ts.isPropertyAccessExpression(parent.expression) &&
		SEARCHES.includes(parent.expression.name.text)
	);
}

const COMPARISONS = [
	ts.SyntaxKind.EqualsEqualsEqualsToken,
	ts.SyntaxKind.ExclamationEqualsEqualsToken,
	ts.SyntaxKind.LessThanToken,
	ts.SyntaxKind.LessThanEqualsToken,
	ts.SyntaxKind.GreaterThanToken,
	ts.SyntaxKind.GreaterThanEqualsToken,
	ts.SyntaxKind.InstanceOfKeyword,
	ts.SyntaxKind.InKeyword,
];

const QUESTIONS =
	/^(is|has|may|can|fits)[A-Z]|^(includes|startsWith|endsWith|some|every|test|has)$/;

/** By its form: a comparison, or a call whose name is a question. */
function saysYesOrNo(node: ts.Expression): boolean {
	const inner = bare(node);
	if (isNot(inner)) return true;
	if (isLogical(inner)) return saysYesOrNo(inner.right);
	if (ts.isBinaryExpression(inner))
		return COMPARISONS.includes(inner.operatorToken.kind);
	if (!ts.isCallExpression(inner)) return false;
	const { expression } = inner;
	const name = ts.isPropertyAccessExpression(expression)
		? expression.name.text
		: expression.getText();
	return QUESTIONS.test(name);
}

/** A choice between two texts to be read, of which one has a blank or an insertion. */
function isWording(node: ts.Node): boolean {
	if (!ts.isConditionalExpression(node)) return false;
	const sides = [bare(node.whenTrue), bare(node.whenFalse)];
	const isText = (side: ts.Expression) =>
		ts.isStringLiteralLike(side) || ts.isTemplateExpression(side);
	const isRead = (side: ts.Expression) =>
		ts.isTemplateExpression(side) ||
		(ts.isStringLiteralLike(side) && /\s|^$/.test(side.text));
	return sides.every(isText) && sides.some(isRead);
}

function bare(node: ts.Expression): ts.Expression {
	return ts.isParenthesizedExpression(node) ? bare(node.expression) : node;
}

const isNot = (node: ts.Expression): node is ts.PrefixUnaryExpression =>
	ts.isPrefixUnaryExpression(node) &&
	node.operator === ts.SyntaxKind.ExclamationToken;

const isLogical = (node: ts.Expression): node is ts.BinaryExpression =>
	ts.isBinaryExpression(node) &&
	[ts.SyntaxKind.AmpersandAmpersandToken, ts.SyntaxKind.BarBarToken].includes(
		node.operatorToken.kind,
	);
