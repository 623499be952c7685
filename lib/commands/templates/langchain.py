import re
import zlib

from langchain_core.embeddings import Embeddings
from langchain_core.runnables import RunnableLambda
from langchain_core.vectorstores import InMemoryVectorStore
from oloproof import Passage, Retrieval, rag_system


class WordEmbeddings(Embeddings):  # Yours: OpenAIEmbeddings(), HuggingFaceEmbeddings(), …
    def embed_query(self, text):
        words = {zlib.crc32(word.encode()) % 256 for word in re.findall(r"\w+", text.lower())}
        return [float(n in words) for n in range(256)]

    def embed_documents(self, texts):
        return [self.embed_query(text) for text in texts]


store = InMemoryVectorStore(WordEmbeddings())
store.add_texts(
    ["Refunds for yearly plans are paid within 14 days.", "A team plan has 25 seats.", "The trial lasts 30 days."],
    ids=["refunds", "seats", "trial"],
)
# Yours: prompt | model | StrOutputParser(). This one answers with the best passage.
chain = RunnableLambda(lambda asked: asked["context"].split("\n")[0] or "I do not know.")


@rag_system(name="help-desk", version="1", depth=3, top_k=2, index_version="1")
class HelpDesk:
    async def retrieve(self, input, depth):
        found = await store.asimilarity_search_with_score(input["question"], k=depth)
        # A document of LangChain as a passage of oloproof.
        passages = [Passage(doc_id=document.id, text=document.page_content, score=score) for document, score in found]
        return Retrieval(query=input["question"], candidates=passages)

    async def generate(self, input, context):
        asked = {"question": input["question"], "context": "\n".join(passage.text for passage in context)}
        return {"answer": await chain.ainvoke(asked), "citations": [passage.doc_id for passage in context[:1]]}
