import re
import zlib

from llama_index.core import Document, VectorStoreIndex
from llama_index.core.embeddings import BaseEmbedding
from oloproof import Passage, Retrieval, rag_system


class WordEmbedding(BaseEmbedding):  # Yours: OpenAIEmbedding(), HuggingFaceEmbedding(), …
    def _get_text_embedding(self, text):
        words = {zlib.crc32(word.encode()) % 256 for word in re.findall(r"\w+", text.lower())}
        return [float(n in words) for n in range(256)]

    _get_query_embedding = _get_text_embedding

    async def _aget_query_embedding(self, query):
        return self._get_text_embedding(query)


TEXTS = {"refunds": "Refunds for yearly plans are paid within 14 days.", "seats": "A team plan has 25 seats.",
         "trial": "The trial lasts 30 days."}
documents = [Document(doc_id=id, text=text) for id, text in TEXTS.items()]
index = VectorStoreIndex.from_documents(documents, embed_model=WordEmbedding())


@rag_system(name="help-desk", version="1", depth=3, top_k=2, index_version="1")
class HelpDesk:
    def retrieve(self, input, depth):
        nodes = index.as_retriever(similarity_top_k=depth).retrieve(input["question"])
        # A node of LlamaIndex as a passage of oloproof.
        passages = [Passage(doc_id=one.node.ref_doc_id, text=one.node.get_content(), score=one.score) for one in nodes]
        return Retrieval(query=input["question"], candidates=passages)

    def generate(self, input, context):  # Yours: llm.complete(prompt). This one answers with the best passage.
        best = context[0] if context else Passage(doc_id="none", text="I do not know.")
        return {"answer": best.text, "citations": [passage.doc_id for passage in context[:1]]}
