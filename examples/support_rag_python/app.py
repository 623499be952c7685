import json
import math
import re
from collections import Counter
from pathlib import Path

from oloproof import Passage, Retrieval, rag_system

corpus = [json.loads(line) for line in Path(__file__).with_name("corpus.jsonl").read_text("utf-8").splitlines()]


def words_of(text):
    # A dict is a set that keeps its order.
    return dict.fromkeys(re.findall(r"[^\W_]+", text.lower()))


articles_with = Counter(word for article in corpus for word in words_of(article["text"]))


def weight_of(word):
    """Inverse document frequency in place of a stop list: the more articles share a word, the less it weighs."""
    count = articles_with[word]
    return math.log(len(corpus) / count) if count else 0


def overlap(question, text):
    """The summed weights of the question's words that occur in the text, each word counted once."""
    words = words_of(text)
    return sum(weight_of(word) for word in words_of(question) if word in words)


@rag_system(
    name="support-rag",
    version="slice-b-example",
    depth=6,
    top_k=2,
    token_budget=40,
    index_version="kb-2026-09-16",
)
class SupportRag:
    def retrieve(self, input, depth):
        """The articles that share a word with the question, best overlap first."""
        found = [Passage(**article, score=overlap(input["question"], article["text"])) for article in corpus]
        # sorted is stable: equal scores keep the order of the corpus
        ranked = sorted((one for one in found if one.score > 0), key=lambda one: -one.score)
        return Retrieval(query=input["question"], candidates=ranked[:depth])

    def generate(self, input, context):
        """Answers with the sentence of the context that overlaps most with the question; on a tie, with the first."""
        sentences = [
            (overlap(input["question"], sentence), sentence, passage.doc_id)
            for passage in context
            for sentence in re.split(r"(?<=[.!?])\s+", passage.text)
        ]
        if not sentences:
            return {"answer": "", "citations": []}
        _, answer, doc_id = max(sentences, key=lambda one: one[0])
        return {"answer": answer, "citations": [doc_id]}

    def count_tokens(self, passage):
        """Words stand in for the tokens of a model: this generator has no tokenizer."""
        return len(passage.text.split())
